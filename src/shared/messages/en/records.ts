/** A record of a table as a form. */
import { formatCount } from '../format.ts';
import { rich } from '../rich.ts';

export const title = (jrid: string) => `Record ${jrid}`;
export const position = ({ row, of }: { row: number; of: number }) =>
  `Row ${formatCount(row)} of ${formatCount(of)}`;
export const previous = 'Previous record';
export const next = 'Next record';
export const close = 'Close the form';
export const notRead = 'The record could not be read';
export const loading = 'Loading the record';
export const deleteRecord = 'Delete…';

// A record that is not there.
export const notFound = 'There is no record with this number.';
export const deletedByYou = (at: string) =>
  `You deleted this record, ${at}. The history shows its values.`;
export const deletedBy = <Part>({ person, at }: { person: Part; at: string }) =>
  rich`${person} deleted this record, ${at}. The history shows its values.`;
export const restore = 'Restore the record';
export const notRestored = 'The record could not be restored';
export const onlyOwn = 'Only the person who deleted it can restore it.';

// Links of a value.
export const open = (address: string) => `Open ${address}`;
export const writeTo = (address: string) => `Write to ${address}`;
export const showIn = (table: string) => `Show it in ${table}`;

// The history; other texts of it are in `history.ts`.
export const restoreStateHint = 'Saves all values as they were after this change';
export const restoreValueHint = 'Saves the old value again';
export const undone = 'Undone';
export const deleted = 'Deleted';
export const changed = 'Changed';
export const several = 'Several together';
