import { fold } from '../values/fold.ts';
import { memoized } from '../values/memoized.ts';

/** The languages whose month names are searched for on pages. */
const LANGUAGES = 'en de de-AT fr es it nl pt pl cs sk hu sv da nb fi et lv lt ro hr sl tr'.split(
  ' ',
);
/** Abbreviations that are missing in the locale data. */
const FURTHER: Readonly<Record<number, readonly string[]>> = { 3: ['mrz', 'maerz'], 9: ['sept'] };

/**
 * A pattern, without capturing groups, for the folded names of a month (1 to 12) in several languages, and their
 * abbreviations.
 */
export const monthNamePattern = memoized((month: number): string => {
  const date = new Date(Date.UTC(2021, month - 1, 15));
  const names = new Set(FURTHER[month] ?? []);
  for (const language of LANGUAGES) {
    for (const style of ['long', 'short'] as const) {
      const month = { month: style, timeZone: 'UTC' } as const;
      names.add(nameOf(new Intl.DateTimeFormat(language, month).format(date)));
      // Many languages inflect the name next to a day.
      const parts = new Intl.DateTimeFormat(language, { ...month, day: 'numeric' });
      const part = parts.formatToParts(date).find(({ type }) => type === 'month');
      names.add(nameOf(part?.value ?? ''));
    }
  }
  const sorted = [...names]
    .filter((name) => name.length >= 3)
    .toSorted((a, b) => b.length - a.length);
  return `(?:${sorted.map(abbreviated).join('|')})(?!\\p{L})`;
});

function nameOf(text: string): string {
  return fold(text).replaceAll(/[^\p{L}]/gu, '');
}

/** A name or its first letters, at least three. */
function abbreviated(name: string): string {
  const letters = Array.from(name);
  const rest = letters.slice(3).reduceRight((end, letter) => `(?:${letter}${end})?`, '');
  return letters.slice(0, 3).join('') + rest;
}
