/** What is wrong with a rule of a check, and where. */
import { formatCount } from '../format.ts';
import { coded } from '../message.ts';
import { plural } from './language.ts';

/** Where in a rule: both are counted from 1, columns in characters. */
type At = { line: number; column: number };

const at = ({ line, column }: At) => `Line ${line}, column ${column}:`;

const EXPECTED = {
  operand: 'a field, a value or a function',
  operator: 'an operator',
  andOrEnd: '“and”, “or” or the end of the rule',
  closing: '“)”',
  opening: '“(”',
  comma: '“,”',
  commaOrClosing: '“,” or “)”',
  and: '“and”',
  with: '“with”',
  listOrColumn: '“(” with values, or TABLE.COLUMN',
  dot: '“.” and the name of a column',
  column: 'the name of a column',
  field: 'the name of a field',
  pattern: 'a pattern as a text between quotes',
  places: 'a whole number from -15 to 15',
};
export type Expected = keyof typeof EXPECTED;

const KINDS = {
  number: 'a number',
  text: 'a text',
  boolean: 'a condition (true or false)',
  date: 'a date',
  datetime: 'a date and time',
  time: 'a time of day',
};
type Kind = keyof typeof KINDS;

export const expected = coded(
  'checks.expected',
  ({ expected, found, ...place }: At & { expected: Expected; found: string }) =>
    `${at(place)} expected ${EXPECTED[expected]}, found “${found}”.`,
);
export const expectedAtEnd = coded(
  'checks.expectedAtEnd',
  ({ expected, ...place }: At & { expected: Expected }) =>
    `${at(place)} expected ${EXPECTED[expected]}, but the rule ends here.`,
);
export const unknownCharacter = coded(
  'checks.unknownCharacter',
  ({ found, ...place }: At & { found: string }) =>
    `${at(place)} expected a name, a value or an operator, found “${found}”.`,
);
export const unclosedText = coded(
  'checks.unclosedText',
  (place: At) => `${at(place)} the text that begins here has no closing quote: expected “'”.`,
);
export const unclosedName = coded(
  'checks.unclosedName',
  (place: At) => `${at(place)} expected a name that ends with a double quote.`,
);
export const notStorable = coded(
  'checks.notStorable',
  (place: At) => `${at(place)} expected a text without NUL and without halves of characters.`,
);
export const malformedNumber = coded(
  'checks.malformedNumber',
  ({ found, ...place }: At & { found: string }) =>
    `${at(place)} expected a number such as 12 or 1.5, found “${found}”.`,
);
export const noSuchDate = coded(
  'checks.noSuchDate',
  ({ found, ...place }: At & { found: string }) =>
    `${at(place)} expected a day of the calendar, but there is no ${found}.`,
);
export const unknownField = coded(
  'checks.unknownField',
  ({ name, ...place }: At & { name: string }) =>
    `${at(place)} expected a field, but there is no field “${name}”.`,
);
export const unknownFunction = coded(
  'checks.unknownFunction',
  ({ name, ...place }: At & { name: string }) =>
    `${at(place)} expected a function, but there is no function “${name}”.`,
);
export const unknownTable = coded(
  'checks.unknownTable',
  ({ name, ...place }: At & { name: string }) =>
    `${at(place)} expected a table, but there is no table “${name}”.`,
);
export const unknownColumn = coded(
  'checks.unknownColumn',
  ({ name, table, ...place }: At & { name: string; table: string }) =>
    `${at(place)} expected a column, but the table “${table}” has no column “${name}”.`,
);
export const argumentCount = coded(
  'checks.argumentCount',
  ({ name, count, given, ...place }: At & { name: string; count: number; given: number }) =>
    `${at(place)} the function ${name} takes ${plural(count, { one: '1 value', other: `${count} values` })}, found ${given}.`,
);
export const wrongKind = coded(
  'checks.wrongKind',
  ({ expected, found, ...place }: At & { expected: Kind; found: Kind }) =>
    `${at(place)} expected ${KINDS[expected]}, found ${KINDS[found]}.`,
);
export const noDay = coded(
  'checks.noDay',
  ({ found, ...place }: At & { found: Kind }) =>
    `${at(place)} expected a date or a date and time, found ${KINDS[found]}.`,
);
export const noOrder = coded(
  'checks.noOrder',
  (place: At) => `${at(place)} expected “=” or “<>”, as true and false have no order.`,
);
export const notATime = coded(
  'checks.notATime',
  (place: At) => `${at(place)} expected a time of day such as '08:30'.`,
);
export const notADatetime = coded(
  'checks.notADatetime',
  (place: At) =>
    `${at(place)} expected a date and time with an offset, such as '2026-01-31T08:30:00+01:00'.`,
);
export const nestedLookup = coded(
  'checks.nestedLookup',
  (place: At) => `${at(place)} expected a value that is not itself looked up in a table.`,
);
export const tooLong = coded(
  'checks.tooLong',
  ({ max, ...place }: At & { max: number }) =>
    `${at(place)} a rule may have at most ${formatCount(max)} characters.`,
);
export const tooDeep = coded(
  'checks.tooDeep',
  ({ max, ...place }: At & { max: number }) =>
    `${at(place)} brackets, functions and “not” may be nested at most ${max} levels deep.`,
);
export const tooManyFields = coded(
  'checks.tooManyFields',
  ({ max, ...place }: At & { max: number }) =>
    `${at(place)} a rule may name at most ${max} fields.`,
);
export const numberTooLong = coded(
  'checks.numberTooLong',
  ({ max, ...place }: At & { max: number }) =>
    `${at(place)} the result may have more than ${max} digits: expected a shorter calculation.`,
);

const PATTERN_PROBLEMS = {
  unclosedGroup: '“)” is expected at its end',
  unclosedClass: '“]” is expected at its end',
  nothingToRepeat: 'a character or group is expected before a repetition',
  repetition: 'a repetition is expected as {2} or {2,5}, at most 250',
  range: 'a range of characters is expected from the lower to the higher',
  group: 'a group is expected as (…) or (?:…)',
  escape:
    'after \\ one of d, D, w, W, s, S, t, n, r, f or a punctuation mark is expected (classes by \\p, \\b and flags are not known)',
  unopened: 'the bracket has no beginning: \\ is expected before it',
  tooLarge: 'a shorter pattern or smaller repetitions are expected',
};
export type PatternProblem = keyof typeof PATTERN_PROBLEMS;

export const patternInvalid = coded(
  'checks.patternInvalid',
  ({ problem, ...place }: At & { problem: PatternProblem }) =>
    `${at(place)} the pattern cannot be used: ${PATTERN_PROBLEMS[problem]}.`,
);
