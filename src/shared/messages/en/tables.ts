/** The grid of a table: what is around its rows, in its cells, and its notices. */
import { formatCount } from '../format.ts';
import { rich } from '../rich.ts';
import { plural } from './language.ts';

export const rowHeader = 'Row';
export const row = (number: number) => `Row ${formatCount(number)}`;
export const newRecord = 'New record';
export const notRead = 'Not read yet';
export const gridHint = 'Tab goes to the next cell; Escape, then Tab leaves the grid.';
export const writableGridHint =
  'Tab goes to the next cell; Escape, then Tab leaves the grid. Type or press Enter to edit a cell.';
export const summaryOf = 'Summary…';
export const colourCells = 'Colour cells…';
export const openAsForm = (key: string) => `Open the row as a form (${key})`;
export const discardRow = 'Discard the new record';
export const dragToFill = 'Drag to fill';
export const yes = 'Yes';
export const no = 'No';
/** @param time by the user's clock */
export const localTime = (time: string) => `${time} here`;

// What other users do, in rows and cells.
export const somebody = 'Somebody';
export const hasChanged = (person: string) => `${person} has just changed this.`;
export const hasDeleted = (person: string) => `${person} has deleted this record`;
export const deleted = 'deleted';
export const rowDeletedBy = ({ row, person }: { row: string; person: string }) =>
  `${row}: deleted by ${person}`;
export const rowMoves = (row: string) => `${row}: will move`;
/** @param reason why it was refused */
export const rowRefused = ({ row, reason }: { row: string; reason: string }) => `${row}: ${reason}`;
export const moves = 'will move';
export const movesHint = 'Will move when the list is sorted or refreshed';
export const changedTo = <Part>({ person, value }: { person: string; value: Part }) =>
  rich`${person} has changed this to ${value}`;
export const quoted = (value: string) => `“${value}”`;
export const columnChangedTo = ({ column, value }: { column: string; value: string }) =>
  `${column} has been changed to ${value}.`;

// A cell that cannot be saved.
export const conflict = 'Somebody else changed this value meanwhile. Choose which one to keep.';
export const problemOf = (column: string) => `What is wrong with ${column}`;
export const restoreOldValue = 'Restore the old value';
export const recordNotFound = 'The record was not found.';
export const columnNotFound = 'The table no longer has this column.';
export const rowNotCreated = 'The server refused the new record.';
export const ambiguous = 'It can be read in several ways: choose one.';

// Instead of rows.
export const recordsNotRead = 'The records could not be read';
export const removeAll = 'Remove filter, search and order';
export const readingRecords = 'Reading the records';
export const noMatch = 'No record matches';
export const removeFilter = 'Remove filter and search';
export const empty = 'This table is empty';
export const emptyHint = 'Type into the row above to create the first record.';

// The toolbar.
export const deletedRecords = 'Deleted records';
export const initialOrder = 'By record number, ascending.';
export const linesOfRows = 'Row height';
export const linesOfRowsNow = (lines: number) => `Row height: ${lines}`;
export const lines = (count: number) =>
  plural(count, { one: 'One line', other: `Up to ${count} lines` });
export const recordNumber = 'Record number';
export const changedAt = 'Changed at';
export const changedBy = 'Changed by';

// The foot.
export const records = (count: number) =>
  plural(count, { one: '1 record', other: `${formatCount(count)} records` });
export const recordsOf = ({ count, of }: { count: number; of: number }) =>
  plural(of, {
    one: `${formatCount(count)} of 1 record, filtered`,
    other: `${formatCount(count)} of ${formatCount(of)} records, filtered`,
  });
export const refresh = 'Refresh';
export const showOthersChanges = 'Others added or deleted records: show';
export const goToRow = 'Go to row';
export const goToRowHint = (key: string) => `Go to a row by its number (${key})`;
export const rowsToGoTo = (count: number) => `Row 1 to ${formatCount(count)}`;
export const form = 'Form';
export const selectedRecords = (count: number) =>
  plural(count, { one: '1 record selected', other: `${formatCount(count)} records selected` });
export const deleteSelected = 'Delete…';
export const clearSelection = 'Clear';
export const recordsDeleted = (count: number) =>
  plural(count, { one: '1 record deleted.', other: `${formatCount(count)} records deleted.` });
export const undoDeletion = 'Undo the deletion';
export const dismiss = 'Dismiss';
export const notSaved = (count: number) =>
  plural(count, {
    one: '1 entry is not saved',
    other: `${formatCount(count)} entries are not saved`,
  });
export const saving = (count: number) =>
  plural(count, { one: 'Saving…', other: `Saving ${formatCount(count)} changes…` });
export const saved = 'Saved';

// While the service or the browser's storage is away.
export const notStored =
  'This browser cannot store what is not saved: its storage is full or blocked. Keep this tab open until everything is saved.';
export const serverAway = (count: number) =>
  plural(count, {
    one: 'The server cannot be reached: 1 change will be saved when it is back.',
    other: `The server cannot be reached: ${formatCount(count)} changes will be saved when it is back.`,
  });
export const resumed = (count: number) =>
  plural(count, {
    one: '1 unsaved entry is restored.',
    other: `${formatCount(count)} unsaved entries are restored.`,
  });

// For screen readers.
export const status = 'Status of the table';
export const othersChanged = 'Others added or deleted records.';
export const shown = (count: number) =>
  plural(count, {
    one: 'The table shows 1 record.',
    other: `The table shows ${formatCount(count)} records.`,
  });
/** @param message of the last one, a sentence */
export const lastNotSaved = ({ count, message }: { count: number; message: string }) =>
  plural(count, {
    one: `1 entry is not saved. ${message}`,
    other: `${formatCount(count)} entries are not saved. ${message}`,
  });
/** @param column that of the last one */
export const lastNotSavedIn = (of: { count: number; column: string; message: string }) =>
  plural(of.count, {
    one: `1 entry is not saved. ${of.column}: ${of.message}`,
    other: `${formatCount(of.count)} entries are not saved. ${of.column}: ${of.message}`,
  });
export const savingNow = (count: number) =>
  plural(count, { one: 'Saving a change.', other: `Saving ${formatCount(count)} changes.` });
export const savedLater = (count: number) =>
  plural(count, {
    one: 'The server cannot be reached, a change will be saved later.',
    other: `The server cannot be reached, ${formatCount(count)} changes will be saved later.`,
  });
export const allSaved = (count: number) =>
  `Everything is saved, ${formatCount(count)} changes since the table was opened.`;
export const selectedBlock = ({ rows, columns }: { rows: number; columns: number }) =>
  plural(columns, {
    one: plural(rows, {
      one: '1 row by 1 column selected.',
      other: `${formatCount(rows)} rows by 1 column selected.`,
    }),
    other: plural(rows, {
      one: `1 row by ${columns} columns selected.`,
      other: `${formatCount(rows)} rows by ${columns} columns selected.`,
    }),
  });
export const selectedBlocks = ({ cells, blocks }: { cells: number; blocks: number }) =>
  `${formatCount(cells)} cells selected in ${blocks} blocks.`;

// Notices. `reason` is a sentence.
export const tooManyCellsChanged = (max: number) =>
  `At most ${formatCount(max)} cells are changed at once. Select fewer.`;
export const notChanged = (reason: string) => `Nothing is changed: ${reason}`;
export const oneBlockToCopy =
  'Several separate selections cannot be copied at once. Select one block.';
export const tooManyCellsCopied = (max: number) =>
  `At most ${formatCount(max)} cells are copied at once. Use Export.`;
export const copyAgain = 'The rows are loaded now. Copy again.';
export const notCopied = (reason: string) => `Nothing is copied: ${reason}`;
export const tooManyRowsSelected = (max: number) =>
  `At most ${formatCount(max)} rows are selected at once. Select fewer.`;
export const rowsNotRead = (reason: string) => `The rows could not be read: ${reason}`;
export const mayNotDelete = 'You have no right to delete records of this table.';
export const deleteAgain =
  'Nothing was deleted, because you typed or selected something else while the rows were loading. Select and delete again.';
export const chooseFirst = 'Choose the records first: by Shift+Space, or by their row numbers.';
export const noDate = 'Only columns of dates and times can have the current date or time.';
export const recordGone = 'This record is no longer in the table.';
export const entryNotFound = (reason: string) => `The entry could not be found: ${reason}`;
export const hiddenByFilter = 'The filter hides the changed record.';
export const mayNotWrite = 'You can read this table, but not change it.';
export const pasteAgain =
  'Nothing was pasted, because other cells were selected meanwhile. Paste again.';
export const notPasted = (reason: string) => `Nothing was pasted. ${reason}`;
export const oneBlockToPaste =
  'You cannot paste into several separate selections. Select one block.';
export const tooManyRowsPasted = (max: number) =>
  `At most ${formatCount(max)} rows are pasted at once. Use Import.`;
export const pasted = (rows: number) =>
  plural(rows, { one: '1 row is pasted.', other: `${formatCount(rows)} rows are pasted.` });
export const pastedInPart = (of: { pasted: number; rows: number; unsaved: number }) =>
  plural(of.unsaved, {
    one: `${formatCount(of.pasted)} of ${formatCount(of.rows)} rows are pasted; 1 is not saved: it stays in the grid, marked.`,
    other: `${formatCount(of.pasted)} of ${formatCount(of.rows)} rows are pasted; ${formatCount(of.unsaved)} are not saved: they stay in the grid, marked.`,
  });
/** @param reason a sentence */
export const rowNotRead = ({ row, reason }: { row: number; reason: string }) =>
  `Row ${formatCount(row)} could not be read. ${reason}`;
