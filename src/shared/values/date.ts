import * as typeTexts from '#messages/value-types.ts';
import * as texts from '#messages/values.ts';
import { isDate } from './iso-dates.ts';
import { dayForm, writeDay } from './locale-formats.ts';
import { interpretDay, daysInAnyNotation } from './date-parsing.ts';
import { ORDERED_OPERATORS, parsedAs, refused, type ValueTypeDefinition } from './value-type.ts';

/** A day of the calendar, `YYYY-MM-DD`. */
export const DATE: ValueTypeDefinition = {
  words: typeTexts.date,
  family: 'date',
  parse: (raw) =>
    typeof raw === 'string' && isDate(raw)
      ? parsedAs(raw)
      : refused(texts.notADate({ form: 'YYYY-MM-DD' })),
  isStored: (value) => typeof value === 'string' && isDate(value),
  comparison: { by: 'value' },
  column: 'date',
  rules: ['min', 'max'],
  notationPart: 'order',
  read(text, notation) {
    // Spreadsheets write a day as its midnight.
    const day = text.replace(/[T\s,]+0?0:00(?::00(?:[.,]0+)?)?(?:\s*AM)?$/iu, '');
    return interpretDay(day, notation);
  },
  readInAnyNotation: daysInAnyNotation,
  expandTyped(typed, { order }) {
    const digits = /^(?:\d{6}|\d{8})$/.exec(typed.trim())?.[0];
    if (!digits || order === null) return null;
    const year = digits.length - 4;
    const at = order === 'ymd' ? [year, year + 2] : [2, 4];
    const parts = [digits.slice(0, at[0]), digits.slice(at[0], at[1]), digits.slice(at[1])];
    return parts.join(SEPARATORS[order]);
  },
  write: (value, _scale, locale) => writeDay(String(value), locale),
  form: dayForm,
  now: (local) => local.slice(0, 10),
  operators: ORDERED_OPERATORS,
  columnWidth: 98,
  sheet: {
    format: () => 'yyyy-mm-dd',
    // Spreadsheet programs count days before March 1900 differently.
    toDate: (value) => (value >= '1900-03-01' ? new Date(`${value}T00:00:00Z`) : null),
  },
};

/** Between the parts of a day so that no other order is read. */
const SEPARATORS = { dmy: '.', mdy: '/', ymd: '-' };
