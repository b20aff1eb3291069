import { plainDecimal } from '../values/plain-numbers.ts';
import { isBoolean, isText, type ValueType, valueType } from '../values/registry.ts';
import type { Scalar } from '../values/value-type.ts';
import { monthNamePattern } from './month-names.ts';
import { foldPage } from './page-text.ts';

/** Only the first characters of longer texts are searched for. */
const MAX_LENGTH = 200;
/** Between two characters of a text: nothing, a space, or a hyphenated line break. */
const GAP = '(?:-? )?';
/** Between the parts of a date with words. */
const WORDS = "(?: ?(?:[-./,']|de|del|of|the|di)){0,3} ?";
/** Between the parts of a date in digits. */
const MARK = '(?: ?[-./] ?| )';

/**
 * A pattern that finds a value in the folded text of a page (`foldPage`), in the ways people write it: numbers with any marks
 * and grouping, dates in any usual order and with the names of months, texts whatever their case, accents and spaces.
 * @returns null if nothing can be looked for: no value, a condition, a text without letters and digits
 */
export function spellingsOf(type: ValueType, value: Scalar): RegExp | null {
  if (value === null || value === '' || isBoolean({ type })) return null;
  const pattern = isText({ type }) ? textPattern(String(value)) : valuePattern(type, value);
  return pattern === null ? null : new RegExp(pattern, 'u');
}

function valuePattern(type: ValueType, value: Scalar): string | null {
  const { family } = valueType(type);
  switch (family) {
    case 'number':
      return numberPattern(Number(value));
    case 'date':
      return datePattern(String(value));
    case 'time':
      return timePattern(String(value));
    case 'text':
    case 'boolean':
      return null;
    default:
      return family satisfies never;
  }
}

function textPattern(text: string): string | null {
  const folded = foldPage(text).trim();
  // German letters in their transcription (ä as ae).
  const spelledOut = foldPage(
    text.replaceAll(/[äöüÄÖÜ]/gu, (letter) => `${letter.normalize('NFD').slice(0, 1)}e`),
  ).trim();
  const contracted = folded.replaceAll(/(?<=[aou])e/gu, '');
  const patterns = [...new Set([folded, spelledOut, contracted])].flatMap(
    (one) => charactersPattern(one) ?? [],
  );
  return patterns.length === 0 ? null : patterns.join('|');
}

const WORD = /[\p{L}\p{N}]/u;

function charactersPattern(folded: string): string | null {
  const characters = Array.from(folded.replaceAll(' ', '')).slice(0, MAX_LENGTH);
  if (!characters.some((one) => WORD.test(one))) return null;
  const isCut = folded.replaceAll(' ', '').length > characters.join('').length;
  const [first = '', last = ''] = [characters[0], characters.at(-1)];
  const before = WORD.test(first) ? '(?<![\\p{L}\\p{N}])' : '';
  const after = !isCut && WORD.test(last) ? '(?![\\p{L}\\p{N}])' : '';
  return before + characters.map(escaped).join(GAP) + after;
}

function escaped(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/u.test(character) ? `\\${character}` : character;
}

/** Not inside a longer number, and not the last part of one. Numbers in columns are separated by spaces. */
const NUMBER_BEFORE = "(?<!\\d|\\d[.,'])";
const NUMBER_AFTER = "(?!\\d|[.,']\\d)";

function numberPattern(number: number): string | null {
  if (!Number.isFinite(number)) return null;
  const [whole = '0', places = ''] = plainDecimal(Math.abs(number)).split('.');
  const patterns = [digitsPattern(whole, places)];
  if (Math.abs(number) < 10 && places !== '') {
    const [percent, rest] = shifted(whole, places);
    patterns.push(`${digitsPattern(percent, rest)} ?%`);
  }
  return patterns.join('|');
}

/** Multiplied by a hundred. */
function shifted(whole: string, places: string): [string, string] {
  const digits = places.padEnd(2, '0');
  const moved = `${whole}${digits.slice(0, 2)}`.replace(/^0+(?=\d)/u, '');
  return [moved, digits.slice(2)];
}

function digitsPattern(whole: string, places: string): string {
  const groups = whole.replaceAll(/(?<=\d)(?=(?:\d{3})+$)/gu, ' ').split(' ');
  const lakhs = whole.replaceAll(/(?<=\d)(?=(?:\d{2})*\d{3}$)/gu, ' ').split(' ');
  const grouped = [...new Set([groups.join("[.,' ]?"), lakhs.join('[, ]?')])].join('|');
  const start = whole === '0' && places !== '' ? '0*' : `0*(?:${grouped})`;
  // Whole amounts are also written with zeros or dashes in place of the cents.
  const end = places === '' ? '(?:[.,](?:0+|-{1,2}))?' : `[.,]${places}0*`;
  return NUMBER_BEFORE + start + end + NUMBER_AFTER;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})/u;

function datePattern(value: string): string | null {
  const [, y = '', m = '', d = ''] = DATE.exec(value) ?? [];
  if (y === '') return null;
  const padded = (number: string) => `0?${Number(number)}`;
  const [day, month, year] = [padded(d), padded(m), `(?:${y}|'?${y.slice(2)})`];
  const name = monthNamePattern(Number(m));
  const ordinal = '(?:st|nd|rd|th|er|ere|eme|a|o)?';
  const patterns = [
    [day, month, year].join(MARK),
    [month, day, year].join(MARK),
    [y, month, day].join(MARK),
    `${y}${m}${d}`,
    `${y} ?年 ?${month} ?月 ?${day}`,
    `${day}${ordinal}${WORDS}${name}${WORDS}${year}`,
    `${name}${WORDS}${day}${ordinal}${WORDS}${year}`,
    `${y}${WORDS}${name}${WORDS}${day}`,
  ];
  return `(?<![\\p{L}\\d])(?:${patterns.join('|')})(?!\\d)`;
}

const TIME = /^(\d{2}):(\d{2})/u;

function timePattern(value: string): string | null {
  const [, h = '', minutes = ''] = TIME.exec(value) ?? [];
  if (h === '') return null;
  const hour = Number(h);
  const half = `${hour % 12 || 12}`;
  const suffix = hour < 12 ? ' ?a\\.?m' : ' ?p\\.?m';
  const patterns = [
    `0?${hour} ?[:.h] ?${minutes}`,
    `0?${half} ?[:.] ?${minutes}${suffix}`,
    ...(minutes === '00' ? [`0?${hour} ?(?:h|uhr|o'clock)`, `0?${half}${suffix}`] : []),
  ];
  return `(?<![\\d:])(?:${patterns.join('|')})(?!\\d)`;
}
