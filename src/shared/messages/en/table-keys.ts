/** What keys do in the grid of a table, in the key sheet. */
export const moving = 'Moving';
export const selecting = 'Selecting';
export const onHeading = 'On a heading';
export const editing = 'Editing';
export const asForm = 'One record as a form';
/** what the menu of a heading offers */
export const headingMenu = 'filter, summary, colours, place, width';

export const keys = {
  nextCell: 'Next cell',
  previousCell: 'Cell before',
  fillSelection: 'Fill all selected cells with this value; save a new row',
  cancel: 'Cancel editing',
  nextProblem: 'Next cell that is not saved',
  previousProblem: 'The one before',
  change: 'Change what is in the cell',
  clear: 'Clear the selected cells',
  fillDown: 'Fill down',
  fillRight: 'Fill to the right',
  now: 'Insert today’s date, or the time',
  suggestion: 'Insert the value that a check suggests',
  undo: 'Undo the last change',
  redo: 'Redo it',
  deleteRecords: 'Delete the chosen records',
  openAsForm: 'Open the row as a form',
  goToRow: 'Go to a row by its number',
  selectColumn: 'Select the column',
  selectRow: 'Select the row',
  selectAll: 'Select all cells',
  enter: 'Enter and go down',

  nextRow: 'Next row, as the other arrows do; Ctrl goes to the edge',
  firstCell: 'First cell of the row, End the last; with Ctrl of the table',
  nextPage: 'A page down, PageUp up',
  extend: 'Extend the selection; Shift goes with all keys that move',
  copy: 'Copy the selection',
  paste: 'Paste, after a preview',
  changeOrReplace: 'Change what is in the cell; any letter or sign but ? replaces it',
  newLine: 'A new line within a text',
  calendar: 'Open the calendar of a date',
  nextRecord: 'The next record of the list, ↑ the one before',
  backToGrid: 'Back to the grid; the form stays',
};

export type GridKeyText = keyof typeof keys;
