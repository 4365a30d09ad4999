/** Moments for people: the day and the hour here, and the whole of it on demand. */

const day = new Intl.DateTimeFormat(undefined, { year: "numeric", month: "short", day: "numeric" });
const hour = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const near = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

/** A day, such as "Mar 2, 2026". */
export function dayOf(at: string | Date): string {
  return day.format(new Date(at));
}

/** How long ago, in the largest fitting unit. */
export function ago(at: string | Date): string {
  const seconds = (new Date(at).getTime() - Date.now()) / 1000;
  const units: [Intl.RelativeTimeFormatUnit, number][] = [["day", 86_400], ["hour", 3_600], ["minute", 60]];
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return near.format(Math.round(seconds / length), unit);
}

export function Time({ at, look = "minute" }: { at: string | null | undefined; look?: "minute" | "day" | "hour" | "ago" }) {
  if (!at) return <span>–</span>;
  const clock = hour.format(new Date(at));
  const text = { minute: `${dayOf(at)}, ${clock}`, day: dayOf(at), hour: clock, ago: ago(at) }[look];
  return (
    <time dateTime={at} title={new Date(at).toString()}>
      {text}
    </time>
  );
}
