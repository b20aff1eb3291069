const DATE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const DATETIME =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,3}))?(Z|[+-][0-9]{2}:[0-9]{2})$/;

const MAX_OFFSET_MINUTES = 14 * 60;

/** Whether the text is `YYYY-MM-DD` and that day is in the calendar (Gregorian, years 0001 to 9999). */
export function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day <= days;
}

/**
 * The instant of `YYYY-MM-DDTHH:mm:ss[.fff](Z|±hh:mm)`, in milliseconds since 1970 UTC, or what is wrong: `offset`
 * where only the offset is missing, `form` where the text does not have this form, `real` where the day or time does
 * not exist (hours 00 to 23, offsets up to ±14:00).
 */
export function readInstant(text: string): number | 'offset' | 'form' | 'real' {
  const match = DATETIME.exec(text);
  if (!match) return DATETIME.test(`${text}Z`) ? 'offset' : 'form';
  const [, day = '', hours, minutes, seconds, fraction = '', zone = 'Z'] = match;
  if (!isDate(day) || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59)
    return 'real';
  let offset = 0;
  if (zone !== 'Z') {
    const [hh, mm] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
    offset = hh * 60 + mm;
    if (mm > 59 || offset > MAX_OFFSET_MINUTES) return 'real';
    if (zone.startsWith('-')) offset = -offset;
  }
  const local = Date.parse(`${day}T${hours}:${minutes}:${seconds}.${fraction.padEnd(3, '0')}Z`);
  return local - offset * 60_000;
}
