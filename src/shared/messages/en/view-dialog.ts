/** The dialog that saves, renames, shares or deletes a view. `kind` and `rows` depend on the list. */
export const titles = {
  new: 'Save as a view',
  change: 'Rename or share the view',
  delete: 'Delete the view?',
};
export const needsName = 'Enter a name.';
export const notSaved = 'The view was not saved';
export const save = 'Save the view';
export const name = 'Name';
export const nameExample = 'Supplier missing';
export const shared = {
  archive: 'For everybody who sees this archive',
  table: 'For everybody who sees this table',
};
export const whatIsSaved =
  'A view stores the filter, the search, the order, the columns and their widths.';
export const notDeleted = 'The view was not deleted';
export const deleted = (name: string) => `The view “${name}” is deleted.`;
export const deleteView = 'Delete the view';
export const deletionForEverybody = {
  archive: (view: string) => `“${view}” is deleted for everybody. The revisions stay as they are.`,
  table: (view: string) => `“${view}” is deleted for everybody. The records stay as they are.`,
};
export const deletion = {
  archive: (view: string) => `“${view}” is deleted. The revisions stay as they are.`,
  table: (view: string) => `“${view}” is deleted. The records stay as they are.`,
};
