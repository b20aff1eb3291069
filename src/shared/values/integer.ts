import * as typeTexts from '#messages/value-types.ts';
import * as texts from '#messages/values.ts';
import { writeNumber } from './locale-formats.ts';
import { MAX_SCALE, parseDecimal } from './decimal.ts';
import { readRawNumber, toInteger } from './plain-numbers.ts';
import { interpretNumber, numbersInAnyNotation } from './number-parsing.ts';
import { ORDERED_OPERATORS, parsedAs, refused, type ValueTypeDefinition } from './value-type.ts';

/** A whole number of at most ±(2^53−1). */
export const INTEGER: ValueTypeDefinition = {
  words: typeTexts.integer,
  family: 'number',
  parse(raw) {
    const exact = readRawNumber(raw);
    if (!exact) return refused(texts.notAnIntegerNumber);
    if (exact.places > 0) return refused(texts.notWhole);
    const integer = toInteger(exact);
    return integer === undefined ? refused(texts.notASafeInteger) : parsedAs(integer);
  },
  parseLenient: (raw) => parseDecimal(raw, MAX_SCALE),
  isStored: (value) => Number.isSafeInteger(value),
  comparison: { by: 'value' },
  column: 'integer',
  rules: ['min', 'max'],
  placesOf: () => 0,
  notationPart: 'decimal',
  read: interpretNumber,
  readInAnyNotation: numbersInAnyNotation,
  write: (value, _scale, locale) => writeNumber(Number(value), 0, locale),
  operators: ORDERED_OPERATORS,
  columnWidth: 84,
  sheet: { format: () => '0' },
};
