/** The panels in which lists are filtered, sorted and their fields are chosen. */
export const moveUp = (label: string) => `Move ${label} up`;
export const moveDown = (label: string) => `Move ${label} down`;
export const showAll = 'Show all';
export const reset = 'Reset';
export const removeFilter = (words: string) => `Remove: ${words}`;
export const contains = (q: string) => `contains “${q}”`;
export const removeSearch = (q: string) => `Remove: contains “${q}”`;
export const noSuchField = 'There is no such field.';
export const condition = 'Condition';
export const andOrOr = 'And or or';
export const field = 'Field';
export const test = 'Test';
export const removeCondition = 'Remove the condition';
export const period = 'Period';
export const choosePeriod = 'Choose a period';
export const value = 'Value';
export const from = 'From';
export const to = 'To';
export const values = 'Values';
export const valuesEachEnter = 'Values, each with Enter';
/** before the first condition */
export const where = 'Where';
export const and = 'and';
export const between = (limits: readonly string[]) => limits.join(' and ');
export const quoted = (text: string) => `“${text}”`;
/** a condition without the full stop of a sentence: `Currency is CHF` */
export const conditionWords = (of: {
  readonly field: string;
  readonly test: string;
  /** null: the test needs none */
  readonly value: string | null;
}) => (of.value === null ? `${of.field} ${of.test}` : `${of.field} ${of.test} ${of.value}`);
const disjunction = new Intl.ListFormat('en', { type: 'disjunction' });
/** `CHF, EUR, or USD` */
export const alternatives = (words: readonly string[]) => disjunction.format(words);
/** what is wrong with one of several values */
export const wrongValue = ({ value, problem }: Readonly<Record<'value' | 'problem', string>>) =>
  `“${value}”: ${problem}`;
export const addCondition = 'Add a condition';
export const clearAll = 'Clear all';
export const noWord = 'Enter at least one letter or digit.';
export const rangeReversed = 'The first value must not come after the second one.';
export const ascending = 'ascending';
export const descending = 'descending';
export const sortBy = 'Sort by';
export const thenBy = 'Then by';
export const direction = 'Direction';
export const removeSortKey = 'Do not sort by it';
export const sortByField = 'Sort by a field';
export const thenByAnother = 'Then by another';
export const or = 'or';

const ofNumbers = {
  eq: 'is',
  ne: 'is not',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  in: 'is one of',
  empty: 'is empty',
  filled: 'is not empty',
  between: 'is between',
  like: 'contains',
  starts: 'begins with',
  within: 'is in the period',
};
/** the tests of conditions by the family of value types, each between a field and a value */
export const tests = {
  text: {
    ...ofNumbers,
    gt: 'sorts after',
    gte: 'is or sorts after',
    lt: 'sorts before',
    lte: 'is or sorts before',
  },
  number: ofNumbers,
  boolean: ofNumbers,
  date: {
    ...ofNumbers,
    gt: 'is after',
    gte: 'is on or after',
    lt: 'is before',
    lte: 'is on or before',
  },
  time: {
    ...ofNumbers,
    gt: 'is after',
    gte: 'is at or after',
    lt: 'is before',
    lte: 'is at or before',
  },
};
