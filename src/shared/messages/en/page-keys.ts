/** The keys of separate pages, in the key sheet. */
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
  larger: 'Larger clippings, or smaller ones',
  open: 'Open the record in the list',
  plan: 'Preview the corrections',
};
