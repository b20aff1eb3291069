/** The history of a record. */

/** What changed in a record beside its fields, by its name in the history. */
export const recordChanges = {
  'document.files': 'Files',
  'document.locked': 'Lock',
  'document.documentId': 'Document',
  'document.revision': 'Revision',
};
export const exceptionFrom = (check: string) => `Exception from ${check}`;
export const loaded = 'Loaded';
export const locked = 'Locked';
export const unlocked = 'Unlocked';
export const created = 'Created';
export const batchUndone = 'Batch undone';
export const batch = 'Batch';
export const changedFields = 'Changed fields';
export const allFields = 'All fields';
export const severalRevisions = 'Corrected together';
export const otherCall = 'Other change';
export const restoreStateHint =
  'Puts all values as they were after this change into the form, without saving';
export const restoreValueHint = 'Puts the old value into the form, without saving';
export const restoreState = 'Restore this state';
export const restoreStateOf = (at: string) => `Restore this state, of ${at}`;
export const moreChanges = (value: number) => `${value} more`;
export const restoreValue = ({ label, at }: { label: string; at: string }) =>
  `Restore ${label} as it was before ${at}`;
export const history = 'History';
export const notRead = 'The history could not be read';
export const loading = 'Loading the history';
