/** Days are ISO texts (YYYY-MM-DD), reckoned in UTC so that no time zone of the machine shows. */
const DAY = 86_400_000;

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY);
}

/** The next day that is neither Saturday nor Sunday, or the day itself. */
export function workday(day: string): string {
  const weekday = new Date(day).getUTCDay();
  if (weekday === 0) return addDays(day, 1);
  return weekday === 6 ? addDays(day, 2) : day;
}

/**
 * A time of day in an office, with its offset in summer or winter.
 * @param zone hours ahead of UTC in winter: 0 for Bristol, 1 for the other offices
 * @param minutes since midnight
 */
export function officeTime(day: string, minutes: number, zone: 0 | 1): string {
  const hours = zone + (isSummerTime(day) ? 1 : 0);
  const clock = [Math.floor(minutes / 60), minutes % 60].map((part) => `${part}`.padStart(2, '0'));
  return `${day}T${clock.join(':')}:00${hours === 0 ? 'Z' : `+0${hours}:00`}`;
}

/** Summer time in Europe: from the last Sunday in March to the day before the last Sunday in October. */
function isSummerTime(day: string): boolean {
  const year = day.slice(0, 4);
  const lastSunday = (end: string) => addDays(end, -new Date(end).getUTCDay());
  return day >= lastSunday(`${year}-03-31`) && day < lastSunday(`${year}-10-31`);
}
