/** Where administrators edit the checks of an archive or table. */
import { formatCount } from '../format.ts';
import { plural } from './language.ts';

export const title = 'Checks';
export const hint =
  'A check is a rule that records must meet. It finds all records that do not meet it, new and old.';
export const list = 'Checks of this definition';
export const none = 'There is no check yet.';
export const newCheck = (number: number) => `CHECK_${number}`;
export const addCheck = 'Add check';
export const remove = 'Remove check';
export const name = 'Name of the check';
export const nameHint =
  'Programs and filters use it. Letters, digits and _, beginning with a letter.';
export const label = 'What is wrong';
export const labelHint = 'Clerks read it next to the record, such as: Due before the invoice date.';
export const rule = 'What must be true';
export const when = 'Only for records where';
export const whenHint = 'A second rule. Without it, the check is for all records.';
export const severity = 'A finding';
export const severities = { warn: 'is shown, and can be saved', block: 'cannot be saved' };
export const tryRule = 'Count what it finds';
export const wouldFind = (count: number) =>
  plural(count, {
    one: 'It finds 1 record.',
    other: `It finds ${formatCount(count)} records.`,
  });
export const examples = 'Examples';
export const example = ({ id, values }: { id: string; values: readonly string[] }) =>
  `${id}: ${values.join(', ')}`;
export const fields = 'Marked fields';
export const fieldsHint =
  'Names with commas between them. If empty, all fields of the rule are marked.';
export const duplicates = 'Fields that are equal in duplicates';
export const duplicatesHint =
  'Names with commas between them. Records are duplicates if all fields of one line are equal.';
export const ignored = 'Ignored differences';
export const differences = {
  case: 'Upper and lower case',
  spaces: 'Spaces',
  punctuation: 'Punctuation',
  'leading zeros': 'Leading zeros',
};
export const suggestions = 'Insert';
export const builtIn = 'Built-in checks';
export const builtInOff = 'Built-in checks that are off';

export const templates = 'What should it find?';
export const templateNames = {
  rule: 'My own rule',
  sum: 'A sum that is wrong',
  order: 'Dates in the wrong order',
  lookup: 'A value that a table does not have',
  pattern: 'A text in the wrong form',
  duplicates: 'Duplicates',
};

export const labelSum = ({ parts, total }: { parts: string; total: string }) =>
  `${parts} do not add up to ${total}`;
export const labelOrder = ({ late, early }: { late: string; early: string }) =>
  `${late} is before ${early}`;
export const labelLookup = (field: string) => `${field} is not in the table`;
export const labelPattern = (field: string) => `${field} has the wrong form`;
export const labelDuplicates = (fields: string) => `Same ${fields}`;
export const labelRule = (number: number) => `Check ${number}`;
export const listed = (one: string, other: string) => `${one} and ${other}`;
