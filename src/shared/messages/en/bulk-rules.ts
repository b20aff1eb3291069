/** Rules of a bulk edit, as they are written and as they were applied. */
import { formatCount } from '../format.ts';
import { plural } from './language.ts';

export const field = 'Which field do you want to correct?';
export const nextField = 'Another rule for';
export const chooseField = 'Choose a field';
export const explanation =
  'The rules are applied one after the other to each revision. You see the old and the new value of each revision before anything is changed.';
export const noField = 'You can read the index fields of this archive, but you cannot change them.';
export const noFieldHint = 'An administrator can grant the right to change them.';
export const notPlanned = 'The changes could not be planned';
export const revisions = (count: number) =>
  plural(count, { one: '1 revision', other: `${formatCount(count)} revisions` });
export const planning = (count: number) =>
  plural(count, {
    one: 'Planning the changes of 1 revision',
    other: `Planning the changes of ${formatCount(count)} revisions`,
  });
export const lossWarning = 'These rules have not been applied yet. They will be lost.';
export const preview = 'Preview';
export const removeRule = (label: string) => `Leave ${label} as it is`;
export const kindOf = (label: string) => `Change of ${label}`;

export const kinds = {
  set: 'Set to',
  clear: 'Clear',
  replace: 'Replace text',
  replacePattern: 'Replace a pattern',
  prepend: 'Add prefix',
  append: 'Add suffix',
  trim: 'Trim spaces',
  case: 'Change case',
  copy: 'Copy from another field',
  parse: 'Read a number or date from text',
};
export const cases = {
  upper: 'UPPERCASE',
  lower: 'lowercase',
  title: 'Capitalize Each Word',
  sentence: 'Sentence case',
};
export const dateOrders = {
  dmy: 'day, month, year',
  mdy: 'month, day, year',
  ymd: 'year, month, day',
};
export const decimalMarks = { ',': 'comma: 1.234,50', '.': 'point: 1,234.50' };

export const value = 'Value';
export const text = 'Text';
export const textDescription = 'Spaces count.';
export const find = 'Find';
export const pattern = 'Pattern';
export const patternDescription =
  'A regular expression (RE2). Parts in brackets are $1, $2 … below.';
export const replacement = 'Replace with';
export const noReplacement = 'nothing';
export const matchCase = 'Match case';
export const letterCase = 'Case';
export const copyFrom = 'Copy from';
export const readFrom = 'Read from';
export const decimalMark = 'Decimal mark';
export const dateOrder = 'Dates are written as';
export const anyClear = 'either, if unambiguous';

export const needsValue = 'Enter a value.';
export const needsRequiredValue = 'A value is required in this field.';
export const needsText = 'Enter a text.';
export const needsFind = 'Enter the text to find.';
export const needsPattern = 'Enter the pattern to find.';
export const patternRefused = (reason: string) => `The pattern cannot be used: ${reason}`;
export const needsFieldToCopy = 'Choose the field to copy from.';
export const needsFieldToRead = 'Choose the field to read from.';

/** A rule that was applied: `Supplier: set to “Müller”`. */
export const applied = ({ label, change }: { label: string; change: string }) =>
  `${label}: ${change}`;
export const setToNothing = 'set to no value';
export const setTo = (value: string) => `set to “${value}”`;
export const cleared = 'cleared';
export const prefixed = (text: string) => `prefix “${text}” added`;
export const suffixed = (text: string) => `suffix “${text}” added`;
export const replaced = ({ find, by }: { find: string; by: string }) =>
  `“${find}” replaced by “${by}”`;
export const patternReplaced = ({ find, by }: { find: string; by: string }) =>
  `pattern “${find}” replaced by “${by}”`;
export const valuesCorrected = (count: number) =>
  plural(count, { one: '1 value cleaned up', other: `${formatCount(count)} values cleaned up` });
export const trimmed = 'spaces trimmed';
export const caseChanged = (to: string) => `case changed (${to})`;
export const copied = (label: string) => `copied from ${label}`;
export const read = 'read as a value';
export const readFromField = (label: string) => `read from ${label}`;
