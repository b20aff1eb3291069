import { formatCount } from '../format.ts';
export const textWouldMoreCharacters = (max: number) =>
  `The text would have more than ${formatCount(max)} characters.`;
export const textTooLongLookPattern = 'The text is too long to look for this pattern in it.';
export const noRegularExpressionRe2Knows = 'This is no regular expression that RE2 knows.';
export const regularExpressionNoGroup = (number: string) =>
  `The regular expression has no group $${number}.`;
export const regularExpressionNoGroupNamed = (name: string) =>
  `The regular expression has no group named ${name}.`;
export const textsTooLong =
  'The texts are too long for all these edits. Use fewer or simpler ones.';
export const noIndexField = 'There is no index field of this name.';
export const forTextOnly = 'This edit is for text fields.';
export const notForBoolean = 'This edit is not for fields that are true or false.';
export const textTooLong = 'The text would be too long.';
export const forReadValuesOnly = 'This edit is for fields of numbers, dates and truth values.';
export const textAmbiguous = (meanings: string) =>
  `The text may mean ${meanings}: say how numbers and dates are written.`;
export const noEdit = 'At least one edit is needed.';
export const editsTooLong = (max: number) =>
  `All edits together have at most ${formatCount(max)} characters.`;
