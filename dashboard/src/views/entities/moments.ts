/** Days and moments, as date fields and addresses write them. */

/** The day of a moment here, as a date field wants it. */
export function dayHere(at: string | Date): string {
  const date = new Date(at);
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 10);
}

/** The moment an address or a date field names; a day means its end, so that what happened on it counts. */
export function momentOf(text: string | null): string | null {
  if (!text) return null;
  const date = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T23:59:59.999` : text);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** The beginning of a day here. */
export function startOf(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString();
}
