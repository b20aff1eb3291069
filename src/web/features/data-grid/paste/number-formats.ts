import type { DateOrder } from '#shared/values/value-type.ts';

/** Day 0 of spreadsheets, from which 1 March 1900 and later dates are counted (ISO/IEC 29500-1, 18.17.4.1). */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const FIRST_SURE_DAY = 61;
const DAY = 86_400_000;

/**
 * The date of a serial number in a spreadsheet, in the form of the interface, with its time if it has one.
 * @returns null if programs disagree on the date
 */
export function dayOfSerial(serial: number): string | null {
  if (!Number.isFinite(serial) || serial < FIRST_SURE_DAY || serial > 2_958_466) return null;
  const seconds = Math.round((serial * DAY) / 1000);
  const iso = new Date(DAY_ZERO + seconds * 1000).toISOString().slice(0, 19);
  return iso.endsWith('T00:00:00') ? iso.slice(0, 10) : iso;
}

/**
 * The order of day, month and year in a number format; null if it shows no complete date or depends on the computer.
 * The letters are those of English, German (T M J) and French (J M A) programs.
 */
export function orderOfFormat(format: string): DateOrder | null {
  const letters = lettersOf(format);
  const month = letters.search(/m/i);
  const german = /t/i.test(letters);
  const french = !german && /a/i.test(letters) && /j/i.test(letters);
  const day = letters.search(german ? /t/i : french ? /j/i : /d/i);
  const year = letters.search(german ? /j/i : french ? /a/i : /y/i);
  if (month < 0 || day < 0 || year < 0) return null;
  if (year < month && month < day) return 'ymd';
  if (day < month && month < year) return 'dmy';
  return month < day && day < year ? 'mdy' : null;
}

/** A format without its literal texts. */
function lettersOf(format: string): string {
  const bare = format
    .replace(/"[^"]*"|\[[^\]]*\]|AM\/PM/gi, '')
    .replace(/\\(?=[^a-z])/gi, '')
    .split(';')[0];
  // General, Standard, Short Date, BOOLEAN: names of formats.
  return bare && !/[a-z]{5,}/i.test(bare) ? bare : '';
}
