/** `20260131` as `2026-01-31`; anything else as it was typed. */
export function completeDate(typed: string): string {
  const [, year, month, day] = /^\s*(\d{4})(\d{2})(\d{2})\s*$/.exec(typed) ?? [];
  return year ? `${year}-${month}-${day}` : typed;
}

/**
 * Completes a date and time that was typed short: a blank for the `T`, no seconds, no offset (then
 * the one that holds here at that time). Anything else stays as it was typed.
 * @param offsetAt minutes east of UTC at a local time; the browser's own by default
 */
export function completeDatetime(
  typed: string,
  offsetAt: (local: string) => number = minutesHere,
): string {
  const [, date, time, seconds, zone] =
    /^\s*(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,3})?)?\s?(Z|[+-]\d{2}:\d{2})?\s*$/i.exec(
      typed,
    ) ?? [];
  if (!date) return typed;
  const local = `${date}T${time}${seconds ?? ':00'}`;
  if (zone) return local + zone.toUpperCase();
  const minutes = offsetAt(local);
  return Number.isFinite(minutes) ? local + formatOffset(minutes) : typed;
}

/** The offset from UTC that holds here at a local time: `+01:00`. */
export function localOffset(local: string): string {
  return formatOffset(minutesHere(local));
}

function minutesHere(local: string): number {
  return -new Date(local).getTimezoneOffset();
}

function formatOffset(minutes: number): string {
  const absolute = Math.abs(minutes);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(absolute / 60))}:${two(absolute % 60)}`;
}
