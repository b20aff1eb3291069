/** What keys do, in the key sheet. */
export const form = {
  saveAndNext: 'Save the changes and open the next revision, in the same field',
  save: 'Save the changes',
  saveAll: 'Check all fields, changed or not, and save them',
  next: 'Next revision',
  previous: 'Previous revision',
  nextOpen: 'Next field that is empty or wrong',
  previousOpen: 'Field before it that is empty or wrong',
  suggestion: 'Put what a check suggests for this field into the form',
  calendar: 'Open the calendar of a date field',
  ditto: 'Copy the value from the revision corrected before',
  carry: 'Carry the value of this field over to the next forms, or stop that',
  restoreField: 'Restore the old value of this field',
  restoreAll: 'Restore the old values of all fields',
  undo: 'Undo the last save, where nothing is typed since',
  redo: 'Redo what was undone last; Z with Shift does so too',
  request: 'Preview request: what saving sends to the service',
  back: 'Back to the list',
};

export const viewer = {
  take: 'Put the text selected in the document into the field',
  nextPage: 'Next page of the document, also from the form',
  previousPage: 'Previous page of the document, also from the form',
  scrollDown: 'Scroll the document down, also from the form',
  scrollUp: 'Scroll the document up, also from the form',
  fit: 'The whole page, or as wide as its pane, also from the form',
  nextFile: 'Next file of the revision, also from the form',
  previousFile: 'Previous file of the revision, also from the form',
  find: 'In the document: search in its text',
  zoomIn: 'In the document: larger',
  zoomOut: 'In the document: smaller',
  actualSize: 'In the document: in its own size, 100 %',
  fitWidth: 'In the document: as wide as its pane',
  fitPage: 'In the document: the whole page',
  rotate: 'In the document: turn the view',
};

export const queue = {
  saveAndNext: 'Save and next; without changes: count it as unchanged',
  skip: 'Skip it',
  back: 'Back to the one before',
  listField: 'To the field that the list is about',
  flag: 'Flag it for later, with a note',
  nextList: 'At the end: the next list that has revisions',
};

export const duplicates = {
  nextGroup: 'Next group of duplicates',
  previousGroup: 'Previous group of duplicates',
  nextRecord: 'Next record of the group',
  previousRecord: 'Previous record of the group',
  edit: 'Edit the record',
  notDuplicate: 'The record is not a duplicate',
  merge: 'Merge the records of a table into this one',
  differing: 'Show only the fields that differ, or all',
};

export const fieldReview = {
  right: 'The value is right; next record',
  next: 'Next record; the arrow keys move too',
  previous: 'Record before it',
  edit: 'Change the value; typing replaces it',
  undo: 'Undo the last mark or correction',
  redo: 'Redo what was undone last',
  nextGroup: 'Next records',
  previousGroup: 'Records before them',
  larger: 'Larger cut-outs, or smaller ones',
  open: 'Open the record in the list',
  plan: 'Preview the corrections',
};
