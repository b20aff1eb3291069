import type { DateOrder, DecimalMark, Notation } from '#shared/values/value-type.ts';

/** A locale for each combination that does not contradict the form of the interface. */
const LOCALES: readonly (readonly [DecimalMark | null, DateOrder | null, string])[] = [
  [',', 'dmy', 'de-DE'],
  [',', null, 'de-DE'],
  [null, 'dmy', 'de-DE'],
  [',', 'ymd', 'sv-SE'],
  ['.', 'dmy', 'en-GB'],
  ['.', 'mdy', 'en-US'],
  [null, 'mdy', 'en-US'],
];

/**
 * The locale of a file, from the formats of its columns.
 * @returns null: the form of the interface, or contradictory columns
 */
export function guessLocale(columns: readonly Notation[]): string | null {
  const decimal = only(columns.map(({ decimal }) => decimal));
  const order = only(columns.map(({ order }) => order));
  if (decimal === undefined || order === undefined) return null;
  return LOCALES.find(([mark, days]) => mark === decimal && days === order)?.[2] ?? null;
}

/** The only value besides null; undefined: there are several. */
function only<Value>(values: readonly (Value | null)[]): Value | null | undefined {
  const distinct = new Set(values.filter((value) => value !== null));
  if (distinct.size > 1) return undefined;
  return [...distinct][0] ?? null;
}
