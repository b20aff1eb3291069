/** The pages of an archive, a table, a queue and a document, around what their features show. */
export const keySections = {
  list: 'List',
  heading: 'On a heading',
  queue: 'Queue',
  form: 'Form',
  document: 'Document',
};
/** what the menu of a heading is for, in the key sheet */
export const headingMenu = 'filter, place, width';
export const formOf = (revisionId: string) => `Form of revision ${revisionId}`;
export const readOnly = 'Read only';
export const documentWidth = 'Width of the document';
export const formWidth = 'Width of the form';
export const panelWidth = 'Width of the panel';
export const oneByOne = 'Correcting one by one';
export const queueNotRead = 'The queue could not be read';
export const loadingQueue = 'Loading the queue';
export const queueNotMade = (reason: string) => `The queue could not be made. ${reason}`;
/** `place` is a text of `common`, such as `Supplier missing: 41 of 200`. */
export const newQueue = (place: string) =>
  `This is a new queue. Your place in the earlier one: ${place}.`;
export const exitQueue = 'Exit queue';
export const resumeThere = 'Resume there';
export const valueConflict = (revisionId: string) =>
  `Revision ${revisionId} is not saved: somebody has changed the same field. Your value is kept.`;
export const nextNotRead = (reason: string) => `The next revision could not be read. ${reason}`;
/** the title of the document's own window */
export const documentTitle = (of: { revisionId: string; archive: string }) =>
  `Revision ${of.revisionId} · ${of.archive}`;
export const openInOtherWindow = 'Open a revision in the other window; its document is shown here.';
/** `step` names what is undone: `Revision 17`, `3 revisions` */
export const undoIn = (step: string) => `Undo in ${step}`;
/** what the undo steps of a table are called */
export const undoSteps = { paste: 'pasting', import: 'importing', edit: 'importing' };
export const openForm =
  'Open the form of a revision that you may change, then take text from its page.';
