/** The texts of the pages of an archive and a table that belong to none of their features. */
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
export const queueNotMade = (reason: string) => `The queue could not be created. ${reason}`;
/** `position` is a text of `common`, such as `Supplier missing: 41 of 200`. */
export const queueReady = (position: string) => `The queue is ready: ${position}.`;
export const openQueue = 'Open the queue';
/** `position` as in `queueReady` */
export const newQueue = (position: string) =>
  `This is a new queue. Your place in the earlier one: ${position}.`;
export const resumeThere = 'Resume there';
export const nextNotRead = (reason: string) => `The next revision could not be read. ${reason}`;
/** what the undo steps of a table are called */
export const undoSteps = { paste: 'pasting', import: 'importing', edit: 'importing' };
export const openForm =
  'Open the form of a revision that you can change, then take text from its page.';
