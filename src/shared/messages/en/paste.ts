/** Pasting into a table. */
import { formatCount } from '../format.ts';
import { rich } from '../rich.ts';
import { plural } from './language.ts';

export const title = ({ rows, table }: { rows: number; table: string }) =>
  plural(rows, {
    one: `Paste 1 row into ${table}`,
    other: `Paste ${formatCount(rows)} rows into ${table}`,
  });
export const notPasted = 'Nothing was pasted';
export const answerFirst = 'Answer the questions first.';
export const preview = 'Preview';
export const paste = 'Paste';
export const pasteAndMark = 'Paste, and mark the rest';
export const nothingToPaste = 'Nothing to paste';

// While a paste is planned.
export const working = 'Working';
export const planning = 'Comparing with the table…';
export const saving = 'Saving your changes first…';
export const rowsRead = ({ read, rows }: { read: number; rows: number }) =>
  `Read ${formatCount(read)} of ${formatCount(rows)} rows…`;

// What happens to the other rows.
export const staysMarked =
  'What cannot be saved stays in the grid as it is, marked, until you correct it.';
export const incomplete = (rows: number) =>
  plural(rows, {
    one: '1 new row lacks a value that is required.',
    other: `${formatCount(rows)} new rows lack a value that is required.`,
  });
export const uniqueLater =
  'When the rows are saved, unique values are compared with other records.';
export const gone = (rows: number) =>
  plural(rows, {
    one: '1 row of the table was deleted meanwhile and left out.',
    other: `${formatCount(rows)} rows of the table were deleted meanwhile and left out.`,
  });
export const cutOff = (columns: number) =>
  plural(columns, {
    one: '1 column of the clipboard lies past the last one and is left out.',
    other: `${formatCount(columns)} columns of the clipboard lie past the last one and are left out.`,
  });

// The question how a column is written.
export const question = ({ example, column }: { example: string; column: string }) =>
  `What does “${example}” mean in ${column}?`;
export const meanings = {
  '.': (value: string) => `${value} (point before decimals)`,
  ',': (value: string) => `${value} (comma before decimals)`,
  dmy: (value: string) => `${value} (day first)`,
  mdy: (value: string) => `${value} (month first)`,
  ymd: (value: string) => `${value} (year first)`,
};

// The rows of the preview.
export const rowsShown = 'Rows shown';
export const all = 'All rows';
export const changed = 'Cells changed';
export const created = 'New rows';
export const invalid = 'Cells that cannot be saved';
export const unchanged = 'Cells unchanged';
export const oldAndNew = 'Old and new';
export const rowHeading = 'Row';
export const noRow = 'No row here';
export const deletedRow = 'deleted';
export const newRow = 'new';
export const lacks = (columns: string) => `lacks ${columns}`;
export const was = <Part>(value: Part) => rich`was ${value}`;
export const empty = 'empty';
export const ambiguous = 'can be read in two ways';

// What cannot be saved.
export const problems = 'What cannot be saved';
export const problem = <Part>({ location, message }: { location: Part; message: string }) =>
  rich`${location}: ${message}`;
export const row = (number: number) => `Row ${formatCount(number)}`;
export const cell = (of: { row: number; column: string; text: string }) =>
  `Row ${formatCount(of.row)}, ${of.column} “${of.text}”`;
export const emptyCell = ({ row, column }: { row: number; column: string }) =>
  `Row ${formatCount(row)}, ${column} no value`;
/** @param columns their names */
export const needsValue = ({ count, columns }: { count: number; columns: string }) =>
  plural(count, { one: `${columns} needs a value.`, other: `${columns} need a value.` });
export const moreProblems = (count: number) => `and ${formatCount(count)} more, in the table below`;
export const notUniqueInPaste = ({ row, column }: { row: number; column: string }) =>
  `The value is in row ${row} of this paste already; values of ${column} must be unique.`;
export const notUnique = ({ jrid, column }: { jrid: string; column: string }) =>
  `The value is already in record ${jrid}; values of ${column} must be unique.`;
/** @param values the first values of the record */
export const notUniqueWith = (of: { jrid: string; values: string; column: string }) =>
  `The value is already in record ${of.jrid} (${of.values}); values of ${of.column} must be unique.`;
export const unsavedRows =
  'There are new rows that are not saved. Save or discard them before you paste more than 1,000 rows over them.';
