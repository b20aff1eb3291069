/** The page of a queue, and that of a document in its own window. */
export const oneByOne = 'Correcting one by one';
export const queueNotRead = 'The queue could not be read';
export const loadingQueue = 'Loading the queue';
export const exitQueue = 'Exit queue';
export const valueConflict = (revisionId: string) =>
  `Revision ${revisionId} is not saved: somebody has changed the same field. Your value is kept.`;
/** the title of the document's own window */
export const documentTitle = (of: { revisionId: string; archive: string }) =>
  `Revision ${of.revisionId} · ${of.archive}`;
export const openInOtherWindow = 'Open a revision in the other window; its document is shown here.';
/** `step` names what is undone: `Revision 17`, `3 revisions` */
export const undoIn = (step: string) => `Undo in ${step}`;
