/** Deleting records of a table, and those that are deleted. */
import { formatCount } from '../format.ts';
import { rich } from '../rich.ts';
import { plural } from './language.ts';

export const question = ({ count, table }: { count: number; table: string }) =>
  plural(count, {
    one: `Delete this record of ${table}?`,
    other: `Delete these ${formatCount(count)} records of ${table}?`,
  });
export const more = (count: number) => `and ${formatCount(count)} more`;
export const consequence = (count: number) =>
  plural(count, {
    one: 'It is deleted for everybody, and forms that take values from it no longer offer it. The history keeps the values, so that you can undo the deletion.',
    other:
      'They are deleted for everybody, and forms that take values from them no longer offer them. The history keeps the values, so that you can undo the deletion.',
  });
export const notDeleted = 'Nothing was deleted';
export const record = (jrid: string) => `Record ${jrid}`;
export const deleteRecords = (count: number) =>
  plural(count, { one: 'Delete the record', other: `Delete ${formatCount(count)} records` });

// Where the values of the records are used.
export const usesNotRead = 'The uses of the values could not be read.';
export const readingUses = 'Reading the uses of the values';
export const noUse = (count: number) =>
  plural(count, {
    one: 'None of the records that you can see uses its values as options.',
    other: 'None of the records that you can see uses their values as options.',
  });
export const noUseInPart = ({ looked, count }: { looked: number; count: number }) =>
  `None of the records that you can see uses their values as options. Only the uses of ${formatCount(looked)} of the ${formatCount(count)} records were read.`;
export const usesInPart = ({ looked, count }: { looked: number; count: number }) =>
  `Only the uses of ${formatCount(looked)} of the ${formatCount(count)} records were read.`;
interface Use {
  count: number;
  /** the archive or table */
  of: string;
  field: string;
  /** null: one of several */
  value: string | null;
}
export const revisionsUse = ({ count, of, field, value }: Use) => {
  const held = value ?? 'one of these values';
  return plural(count, {
    one: `1 revision of ${of} has ${held} in ${field}, chosen from this table. It keeps it, but it can no longer be chosen.`,
    other: `${formatCount(count)} revisions of ${of} have ${held} in ${field}, chosen from this table. They keep it, but it can no longer be chosen.`,
  });
};
export const recordsUse = ({ count, of, field, value }: Use) => {
  const held = value ?? 'one of these values';
  return plural(count, {
    one: `1 record of ${of} has ${held} in ${field}, chosen from this table. It keeps it, but it can no longer be chosen.`,
    other: `${formatCount(count)} records of ${of} have ${held} in ${field}, chosen from this table. They keep it, but it can no longer be chosen.`,
  });
};

// The panel of deleted records.
export const title = 'Deleted records';
export const close = 'Close the deleted records';
export const allOwn = 'All of yours';
export const restore = 'Restore';
export const restoreRecords = (count: number) =>
  plural(count, { one: 'Restore 1 record', other: `Restore ${formatCount(count)} records` });
export const restored = (count: number) =>
  plural(count, { one: '1 record restored.', other: `${formatCount(count)} records restored.` });
export const notRestored = 'The records could not be restored';
export const notRead = 'The deleted records could not be read';
export const loading = 'Loading the deleted records';
export const none = 'No record of this table is deleted.';
export const noneHint = 'A deleted record is listed here until it is restored.';
export const showOlder = 'Show older ones';
export const onlyOwn = 'Only the person who deleted a record can restore it.';
export const choose = (jrid: string) => `Choose record ${jrid}`;
export const byYou = (at: string) => `You, ${at}`;
export const by = <Part>({ person, at }: { person: Part; at: string }) => rich`${person}, ${at}`;
