/** The stops of the slider: every day from the first thing known until today, or every hour where that is soon. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export interface Stops {
  /** The last one is now. */
  last: number;
  /** The moment of a stop; null is now. */
  at: (stop: number) => string | null;
  /** The stop of a moment. */
  of: (moment: string | null) => number;
  /** The stop a month later. */
  later: (stop: number) => number;
}

export function stopsOf(earliest: string | null, now: number): Stops | null {
  if (!earliest) return null;
  const first = Date.parse(earliest);
  const step = now - first < 10 * DAY ? HOUR : DAY;
  // A stop is the end of its day here, so that what was learned on a day is there on it.
  const start = new Date(first);
  start.setHours(step === DAY ? 23 : start.getHours(), 59, 59, 0);
  const last = Math.max(1, Math.ceil((now - start.getTime()) / step));
  const time = (stop: number) => start.getTime() + stop * step;
  const stopAt = (moment: number) => Math.min(last, Math.max(0, Math.round((moment - start.getTime()) / step)));
  return {
    last,
    at: (stop) => (stop >= last ? null : `${new Date(time(stop)).toISOString().slice(0, 19)}Z`),
    of: (moment) => (moment === null ? last : stopAt(Date.parse(moment))),
    later: (stop) => {
      const month = new Date(time(stop));
      month.setMonth(month.getMonth() + 1);
      return Math.min(last, Math.max(stop + 1, stopAt(month.getTime())));
    },
  };
}
