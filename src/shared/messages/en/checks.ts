/** What is wrong with a rule of a check, and where. */
import { formatCount } from '../format.ts';
import { coded } from '../message.ts';
import { plural } from './language.ts';

/** Where in a rule: both are counted from 1, columns in characters. */
type Position = { line: number; column: number };

const at = ({ line, column }: Position) => `Line ${line}, column ${column}:`;

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
  ({ expected, found, ...position }: Position & { expected: Expected; found: string }) =>
    `${at(position)} expected ${EXPECTED[expected]}, found “${found}”.`,
);
export const expectedAtEnd = coded(
  'checks.expectedAtEnd',
  ({ expected, ...position }: Position & { expected: Expected }) =>
    `${at(position)} expected ${EXPECTED[expected]}, but the rule ends here.`,
);
export const unknownCharacter = coded(
  'checks.unknownCharacter',
  ({ found, ...position }: Position & { found: string }) =>
    `${at(position)} expected a name, a value or an operator, found “${found}”.`,
);
export const unclosedText = coded(
  'checks.unclosedText',
  (position: Position) =>
    `${at(position)} the text that begins here has no closing quote: expected “'”.`,
);
export const unclosedName = coded(
  'checks.unclosedName',
  (position: Position) => `${at(position)} expected a name that ends with a double quote.`,
);
export const notStorable = coded(
  'checks.notStorable',
  (position: Position) =>
    `${at(position)} expected a text without the NUL character and without incomplete characters.`,
);
export const malformedNumber = coded(
  'checks.malformedNumber',
  ({ found, ...position }: Position & { found: string }) =>
    `${at(position)} expected a number such as 12 or 1.5, found “${found}”.`,
);
export const noSuchDate = coded(
  'checks.noSuchDate',
  ({ found, ...position }: Position & { found: string }) =>
    `${at(position)} expected a date of the calendar, but ${found} does not exist.`,
);
export const unknownField = coded(
  'checks.unknownField',
  ({ name, ...position }: Position & { name: string }) =>
    `${at(position)} expected a field, but there is no field “${name}”.`,
);
export const unknownFunction = coded(
  'checks.unknownFunction',
  ({ name, ...position }: Position & { name: string }) =>
    `${at(position)} expected a function, but there is no function “${name}”.`,
);
export const unknownTable = coded(
  'checks.unknownTable',
  ({ name, ...position }: Position & { name: string }) =>
    `${at(position)} expected a table, but there is no table “${name}”.`,
);
export const unknownColumn = coded(
  'checks.unknownColumn',
  ({ name, table, ...position }: Position & { name: string; table: string }) =>
    `${at(position)} expected a column, but the table “${table}” has no column “${name}”.`,
);
export const argumentCount = coded(
  'checks.argumentCount',
  ({
    name,
    count,
    given,
    ...position
  }: Position & { name: string; count: number; given: number }) =>
    `${at(position)} the function ${name} takes ${plural(count, { one: '1 value', other: `${count} values` })}, found ${given}.`,
);
export const wrongKind = coded(
  'checks.wrongKind',
  ({ expected, found, ...position }: Position & { expected: Kind; found: Kind }) =>
    `${at(position)} expected ${KINDS[expected]}, found ${KINDS[found]}.`,
);
export const noDay = coded(
  'checks.noDay',
  ({ found, ...position }: Position & { found: Kind }) =>
    `${at(position)} expected a date or a date and time, found ${KINDS[found]}.`,
);
export const noOrder = coded(
  'checks.noOrder',
  (position: Position) => `${at(position)} expected “=” or “<>”, as true and false have no order.`,
);
export const notATime = coded(
  'checks.notATime',
  (position: Position) => `${at(position)} expected a time of day such as '08:30'.`,
);
export const notADatetime = coded(
  'checks.notADatetime',
  (position: Position) =>
    `${at(position)} expected a date and time with an offset, such as '2026-01-31T08:30:00+01:00'.`,
);
export const nestedLookup = coded(
  'checks.nestedLookup',
  (position: Position) =>
    `${at(position)} expected a value that is not itself looked up in a table.`,
);
export const tooLong = coded(
  'checks.tooLong',
  ({ max, ...position }: Position & { max: number }) =>
    `${at(position)} a rule may have at most ${formatCount(max)} characters.`,
);
export const tooDeep = coded(
  'checks.tooDeep',
  ({ max, ...position }: Position & { max: number }) =>
    `${at(position)} brackets, functions and “not” may be nested at most ${max} levels deep.`,
);
export const tooManyFields = coded(
  'checks.tooManyFields',
  ({ max, ...position }: Position & { max: number }) =>
    `${at(position)} a rule may name at most ${max} fields.`,
);
export const numberTooLong = coded(
  'checks.numberTooLong',
  ({ max, ...position }: Position & { max: number }) =>
    `${at(position)} the result may have more than ${max} digits: expected a shorter calculation.`,
);

const PATTERN_PROBLEMS = {
  unclosedGroup: '“)” is expected at its end',
  unclosedClass: '“]” is expected at its end',
  nothingToRepeat: 'a character or group is expected before a repetition',
  repetition: 'a repetition is expected as {2} or {2,5}, at most 1000',
  range: 'a range of characters is expected from the lower to the higher',
  group: 'a group is expected as (…), (?:…), (?<name>…) or (?i:…)',
  escape:
    'after \\ a class such as d, w, s or p{L}, a code such as x41, or a punctuation mark is expected',
  groupName: 'another name is expected: an earlier group has this one',
  property: 'there is no character class with this name',
  unopened: 'there is no opening bracket: \\ is expected before the closing one',
  tooLarge: 'a shorter pattern or smaller repetitions are expected',
};
export type PatternProblem = keyof typeof PATTERN_PROBLEMS;

export const patternInvalid = coded(
  'checks.patternInvalid',
  ({ problem, ...position }: Position & { problem: PatternProblem }) =>
    `${at(position)} the pattern cannot be used: ${PATTERN_PROBLEMS[problem]}.`,
);
