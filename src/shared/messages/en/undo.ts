/** Undo and redo. */

export const nothingToUndo = 'There is nothing to undo.';
export const nothingToRedo = 'There is nothing to redo.';
export const redo = 'Redo';
export const openRevision = (id: string) => `Open revision ${id}`;
