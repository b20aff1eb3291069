/** Edits of bulk edits: their errors, and why one cannot be applied to a record. */
import { formatCount } from '../format.ts';
import { coded } from '../message.ts';

export const noIndexField = coded(
  'edits.noIndexField',
  ({ name }: { name: string }) => `There is no field ${name}.`,
);
export const forTextOnly = coded('edits.forTextOnly', 'This edit is only for text fields.');
export const notForBoolean = coded(
  'edits.notForBoolean',
  'This edit is not for fields that are true or false.',
);
export const notForText = coded(
  'edits.notForText',
  'This edit is for fields of numbers, dates and truth values.',
);
export const patternInvalid = coded(
  'edits.patternInvalid',
  'This is not a valid regular expression (RE2).',
);
export const noGroup = coded(
  'edits.noGroup',
  ({ number }: { number: string }) => `The regular expression has no group $${number}.`,
);
export const noNamedGroup = coded(
  'edits.noNamedGroup',
  ({ name }: { name: string }) => `The regular expression has no group named ${name}.`,
);

/** of the request; a text of the subject `http` adds its place */
export const editMissing = 'At least one edit is needed.';
export const editsTooLong = (max: number) =>
  `All edits together have at most ${formatCount(max)} characters.`;

/** Why an edit cannot be done on a record. */
export const resultTooLong = (max: number) =>
  `The text would have more than ${formatCount(max)} characters.`;
export const resultMuchTooLong = 'The text would be too long.';
export const searchTooSlow = 'The text is too long to search for this pattern.';
export const editingTooSlow =
  'The texts are too long for all these edits. Use fewer or simpler ones.';
export const ambiguous = (meanings: readonly string[]) =>
  `The text may mean ${meanings.join(' or ')}: choose how numbers and dates are written.`;
