/** The moment that a page is looked at, as the address and the date field write it. */

import { dayEnd } from "../../ui/days";

/** The day of a moment where the reader is, as a date field wants it. */
export function dayHere(at: string | Date): string {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** The moment an address names; a day means its end, so that what happened on it counts. */
export function momentOf(text: string | null): string | null {
  if (!text) return null;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return dayEnd(text);
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** Whether something had happened by a moment; now, all of it has. */
export function isBy(at: string, asOf: string | null): boolean {
  return asOf === null || Date.parse(at) <= Date.parse(asOf);
}
