/* Code that is not needed before the first paste, loaded together, so that a lost connection cannot prevent the
   dialogs from showing. */
export { unsavedRows } from '#messages/paste.ts';
export { readClipboard } from './clipboard.ts';
export { pastedRow } from './large-paste.ts';
export { LargePasteDialog } from './large-paste-dialog.tsx';
export { planPaste, readNotations } from './make-plan.ts';
export { PasteDialog } from './paste-dialog.tsx';
export { markDuplicates } from './pasted-unique-values.ts';
