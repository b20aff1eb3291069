import * as typeTexts from '#messages/value-types.ts';
import * as texts from '#messages/values.ts';
import { writeNumber } from './locale-formats.ts';
import { MAX_SIGNIFICANT_DIGITS, readRawNumber, toDouble } from './plain-numbers.ts';
import { interpretNumber, numbersInAnyNotation } from './number-parsing.ts';
import {
  ORDERED_OPERATORS,
  type Parsed,
  parsedAs,
  type RawScalar,
  refused,
  type ValueTypeDefinition,
} from './value-type.ts';

/** The decimal places of a field whose definition names none. */
export const DEFAULT_SCALE = 2;
/** The maximum number of decimal places of a field. */
export const MAX_SCALE = 14;

/** A number with decimal places, of at most 15 digits. */
export const DECIMAL: ValueTypeDefinition = {
  words: typeTexts.decimal,
  family: 'number',
  parse: parseDecimal,
  isStored: (value) => typeof value === 'number',
  comparison: { by: 'value' },
  column: 'decimal',
  rules: ['scale', 'min', 'max'],
  placesOf,
  notationPart: 'decimal',
  read: interpretNumber,
  readInAnyNotation: numbersInAnyNotation,
  write: (value, scale, locale) => writeNumber(Number(value), fixedPlaces(scale), locale),
  writeGrouped: (value, scale, locale) =>
    writeNumber(Number(value), fixedPlaces(scale), locale, true),
  operators: ORDERED_OPERATORS,
  columnWidth: 104,
  sheet: {
    format(scale) {
      const places = placesOf(scale);
      const more = '#'.repeat(Math.max(places - 2, 0));
      return places === 0 ? '0' : `0.${'0'.repeat(Math.min(places, 2))}${more}`;
    },
  },
};

/**
 * Reads a number of a request. Refuses more than 15 significant digits, and more than `scale` decimal places, without
 * trailing zeros; nothing is rounded.
 */
export function parseDecimal(raw: RawScalar, scale: number): Parsed {
  const exact = readRawNumber(raw);
  if (!exact) {
    return refused(texts.notADecimalNumber);
  }
  if (exact.places > scale) {
    return refused(scale === 0 ? texts.hasPlaces : texts.tooManyPlaces({ max: scale }));
  }
  if (exact.digits.length > MAX_SIGNIFICANT_DIGITS) {
    return refused(texts.tooManyDigits({ max: MAX_SIGNIFICANT_DIGITS }));
  }
  return parsedAs(toDouble(exact));
}

function placesOf(scale: number | null): number {
  return scale ?? DEFAULT_SCALE;
}

/** Numbers of fields with more decimal places are written without trailing zeros. */
const MAX_FIXED_PLACES = 4;

/** The minimum number of decimal places when values of a field are written, including trailing zeros. */
export function fixedPlaces(scale: number | null): number {
  const places = placesOf(scale);
  return places <= MAX_FIXED_PLACES ? places : 0;
}
