/**
 * An instant as answers and the history have it: RFC 3339 in UTC, with milliseconds.
 * @param at milliseconds since 1970 UTC; null: there is none
 */
export function isoTime(at: number): string;
export function isoTime(at: number | null): string | null;
export function isoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
