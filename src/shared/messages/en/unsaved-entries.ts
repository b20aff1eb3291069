/** The list of entries that cannot be saved in a table. */
import { formatCount } from '../format.ts';
import { rich } from '../rich.ts';
import { plural } from './language.ts';

export const title = 'Not saved';
export const keyHint = <Part>(key: Part) => rich`${key} goes to the next`;
export const previousPage = 'Previous entries';
export const nextPage = 'Next entries';
export const page = ({ from, to, of }: { from: number; to: number; of: number }) =>
  `${formatCount(from)}–${formatCount(to)} of ${formatCount(of)}`;
export const discardAll = 'Discard all';
export const discardAllHint = (count: number) =>
  plural(count, {
    one: '1 entry is discarded: the cells show what the server has',
    other: `${formatCount(count)} entries are discarded: the cells show what the server has`,
  });
export const discard = 'Discard this entry';
export const entry = <Part>({ location, message }: { location: Part; message: string }) =>
  rich`${location}: ${message}`;

// Position of an entry: its record, with its first values, and its column.
export const newRecord = 'New record';
export const newRecordWith = (values: string) => `New record (${values})`;
export const record = (jrid: string) => `Record ${jrid}`;
export const recordWith = ({ jrid, values }: { jrid: string; values: string }) =>
  `Record ${jrid} (${values})`;
export const cell = ({ record, column }: { record: string; column: string }) =>
  `${record}, ${column}`;
export const cellWith = (of: { record: string; column: string; text: string }) =>
  `${of.record}, ${of.column} “${of.text}”`;
