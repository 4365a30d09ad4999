/** Days as date fields hold them (`2026-04-14`), and the moments at which they begin and end where the reader is. */

/** The first moment of a day, for the API. */
export function dayStart(day: string | null | undefined): string | null {
  return moment(day, "00:00:00.000");
}

/** The last moment of a day, for the API. */
export function dayEnd(day: string | null | undefined): string | null {
  return moment(day, "23:59:59.999");
}

function moment(day: string | null | undefined, time: string): string | null {
  const at = day ? new Date(`${day}T${time}`) : null;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : null;
}
