/** Saved views of a list: their strip and their menu. */

export const views = 'Views';
/** the list without a filter; `name` is that of the archive or table */
export const allRows = (name: string) => `All ${name}`;
export const changed = (view: string) => `${view}: changed`;
export const save = 'Save';
export const saveChanges = (view: string) => `Save the changes of the view ${view}`;
export const notSaved = (reason: string) => `The view was not saved. ${reason}`;
export const saved = (name: string) => `The view “${name}” is saved.`;
export const saveAsView = 'Save as a view';
export const saveAsAnotherView = 'Save as another view';
export const forEverybody = 'A view for everybody';
export const menuOf = (view: string) => `View ${view}`;
export const renameOrShare = 'Rename or share…';
export const rename = 'Rename…';
export const deleteView = 'Delete…';
