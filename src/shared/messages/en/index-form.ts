/** The form of a revision: its fields, notices, keys and saving. `by` is a person's name, `at` a moment in words. */
import { formatCount } from '../format.ts';
import { rich } from '../rich.ts';
import { endSentence, plural } from './language.ts';

export const loading = 'Loading the revision';
export const notRead = 'The revision could not be read';
export const noRevision = (id: string) => `There is no revision ${id} in this archive`;

export const revision = (id: string) => `Revision ${id}`;
export const listPosition = ({ position, total }: { position: number; total: number }) =>
  `${formatCount(position)} of ${formatCount(total)}`;
export const previousRevision = 'Previous revision';
export const nextRevision = 'Next revision';
export const lock = 'Lock for editing';
export const unlock = 'Unlock';
export const showDocument = 'Show the document';
export const hideDocument = 'Hide the document';
export const closeForm = 'Close the form';
export const files = 'Files';

export const save = 'Save changes';
export const next = 'Next';
export const saveAndNext = 'Save and next';
export const saved = (id: string) => `${id} saved`;
export const restoreAll = 'Restore all';
export const undoIn = (label: string) => `Undo in ${label}`;
export const undoByKey = (key: string) => `Undo the last save  ${key}`;
export const validateAll = 'Validate all and save';
export const validateAllHint = 'Validates every field, changed or not, and saves them';
export const previewRequest = 'Preview request';
export const previewRequestHint = 'Shows what saving sends to the service';
export const hideRequest = 'Hide request';
export const fieldsChanged = (count: number) =>
  count === 0
    ? 'Nothing changed'
    : plural(count, { one: '1 field changed', other: `${formatCount(count)} fields changed` });
export const readOnly = {
  gone: 'It was deleted, so it cannot be changed.',
  locked: 'It can be changed again when the lock is released.',
  rights: 'You can read this archive, but not change it.',
};

export const wayOfSaving = 'Way of saving';
export const requestText = 'Text of the request';
export const nothingToSend = 'Nothing is changed, so nothing would be sent.';
export const newIdempotencyKey = '(a new one for each save)';
export const notSendable = (problems: string) => `It cannot be sent yet: ${problems}`;
export const problemAt = ({ name, problem }: { name: string; problem: string }) =>
  `${name}: ${problem}`;

export const revisionSaved = (id: string) => `Revision ${id} is saved.`;
export const nothingSent = 'Nothing is changed, so nothing was sent.';
export const isLast = 'This is the last one of the list.';
export const isNotListed = 'It is not in the list.';
export const notSavedInBackground = ({ id, reason }: { id: string; reason: string }) =>
  `Revision ${id} is not saved, your changes are kept. ${reason}`;
export const bothKept = ({ by, labels, id }: { by: string; labels: string; id: string }) =>
  `${by} changed ${labels} of revision ${id} meanwhile. Both changes are kept.`;

export const lockedByYou = (at: string) =>
  `You locked this revision at ${at}; nobody else can change it.`;
export const lockedBy = ({ by, at }: { by: string; at: string }) =>
  `${by} locked this revision at ${at}.`;
export const mergedChange = ({ by, labels, at }: { by: string; labels: string; at: string }) =>
  `${by} changed ${labels} at ${at}`;
export const merged = ({ changes, isEditing }: { changes: string; isEditing: boolean }) =>
  isEditing ? `${changes}; your changes are kept.` : `${changes}.`;
export const deletedBy = ({ by, at }: { by: string; at: string }) =>
  `${by} has deleted this revision, ${at}.`;
export const deleted = 'This revision is deleted.';
export const changedToo = <Part>(by: Part, { labels, at }: { labels: string; at: string }) =>
  rich`${by} changed ${labels}, too, at ${at}.`;
export const compare = 'Compare';

export const notSavedKept = 'Not saved; your changes are kept';
export const notSaved = 'Not saved';
export const notAllowed = 'You have no right to change this revision';
export const notFound = 'This revision was not found';
export const cannotBeSaved = 'This cannot be saved as it is';
export const isLockedBy = ({ by, at }: { by: string; at: string }) => `Locked by ${by} since ${at}`;
export const isLocked = 'Somebody has locked this revision';
export const seeFields = 'Not saved: see the marked fields.';

export const editsOfRemoved = (fields: string) =>
  `What you typed into ${fields} is discarded: the archive has no such field any more.`;

export const typed = 'What you typed';
export const typedLine = ({ label, value }: { label: string; value: string }) =>
  `${label}: ${value}`;
export const copyTyped = 'Copy what you typed';
export const typedCopied = 'What you typed is copied.';

export const changedWhileOpen = <Part>(by: Part, at: string) =>
  rich`${by} changed this revision while you were editing it (${at}).`;

export const copyFrom = ({ label, id }: { label: string; id: string }) =>
  `Copy ${label} from ${id}`;
export const fromPrevious = <Part>(value: Part) => rich`${value} from previous`;
export const restoreByKey = (label: string) => `Restore ${label} by key`;
export const restore = 'restore';
export const carryOverByKey = (label: string) => `Carry over ${label} by key`;
export const carryOver = 'carry over';
export const stopCarryingOver = 'stop carrying over';
export const nextOpenField = 'Next empty or wrong field';
export const nextEmpty = 'next empty';
export const carryOverField = (label: string) => `Carry over ${label}`;
export const carriedOverHint = (key: string) =>
  `Its value is carried over to the next forms. Press to stop.  ${key}`;
export const carryOverHint = (key: string) => `Carry its value over to the next forms  ${key}`;
export const fieldsCarriedOver = 'Fields carried over';
export const carriedOver = 'Carried over';
export const stopCarryingOverField = (label: string) => `Stop carrying over ${label}`;
export const labelAndValue = ({ label, value }: { label: string; value: string }) =>
  `${label} = ${value}`;

export const carriedFrom = (id: string) => `carried over from revision ${id}`;
export const copiedFrom = (id: string) => `copied from revision ${id}`;
export const fromHistory = (at: string) => `from the history, ${at}`;
export const takenAsWritten = 'taken from the document as it is written there';
export const taken = 'taken from the document';
export const takenOf = (written: string) => `“${written}” in the document`;
export const readAs = (value: string) => `Read as ${value}`;
export const notInTable = ({ text, table }: { text: string; table: string }) =>
  `“${text}” is not in ${table}.`;
export const onlySpaces = 'Contains only spaces.';
export const spacesAround = 'Begins and ends with a space.';
export const spaceBefore = 'Begins with a space.';
export const spaceAfter = 'Ends with a space.';
export const changedAt = ({ by, at }: { by: string; at: string }) => `${by} changed this at ${at}`;
export const changedTo = <Part>(by: string, value: Part) =>
  rich`${by} changed this, too, to ${value}`;

export const whatDoesItMean = ({ written, label }: { written: string; label: string }) =>
  `What does “${written}” mean in ${label}?`;
export const meansNeither = 'Neither: leave the field as it is';
export const putCursorFirst = 'Put the cursor into a field first.';
export const putIntoFirst = 'Put the cursor into a field first; it was put into the first one.';
export const noTextMarked = 'The marked area contains no text.';
export const neitherYesNorNo = (written: string) => `“${written}” is neither yes nor no.`;
export const notChangeable = 'This form cannot be changed now.';
export const nothingToCopy =
  'No revision was corrected before this one, so there is nothing to copy.';
export const holdsValues = 'The form already has these values.';
export const oldValuesInForm = 'The old values are in the form. Look at them, then save.';
export const noOtherOpen = 'No other field is empty or wrong. Press the key again to start over.';
export const onlyThisOpen = 'Only this field is empty or wrong.';
export const noneOpen = 'No field is empty or wrong.';

export const undone = ({ id, labels }: { id: string; labels: string }) =>
  endSentence(`Undone in revision ${id}: ${labels}`);
export const redone = ({ id, labels }: { id: string; labels: string }) =>
  endSentence(`Redone in revision ${id}: ${labels}`);
export const nothingUndone = (id: string) => `Nothing was undone in revision ${id}.`;
export const nothingRedone = (id: string) => `Nothing was redone in revision ${id}.`;
