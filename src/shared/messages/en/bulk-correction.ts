/** The same values for many revisions: fields and values, preview, sending, outcome, undo. */
import { formatCount } from '../format.ts';
import { rich } from '../rich.ts';
import { endSentence, plural } from './language.ts';

export const title = (count: number) =>
  plural(count, {
    one: 'Correct 1 revision together',
    other: `Correct ${formatCount(count)} revisions together`,
  });
export const lossWarning = 'This has not been corrected yet. What you chose here will be lost.';
export const fieldsAndValues = 'Fields and values';
export const preview = 'Preview';
export const backToList = 'Back to the list';

export const revisions = (count: number) =>
  plural(count, { one: '1 revision', other: `${formatCount(count)} revisions` });

export const keywordFields = 'Keyword fields';
export const firstField = 'Which field do you want to correct?';
export const nextField = 'Another field';
export const chooseField = 'Choose a field';
export const explanation =
  'Every selected revision gets the value that you enter here. You see the old and the new value of each revision before anything is sent.';
export const noField = 'You can read the fields of this archive, but you cannot change them.';
export const noFieldHint = 'An administrator can grant the right to change them.';
export const noValue = 'No value';
export const noKeywords = 'No keywords';
export const noValueIn = (label: string) => `No value in ${label}`;
export const noKeywordsIn = (label: string) => `No keywords in ${label}`;
export const valueCleared = 'The value is cleared.';
export const keywordsRemoved = 'All keywords of this field are removed.';
export const removeField = (label: string) => `Leave ${label} as it is`;
export const removedFields = (fields: string) =>
  `What you chose for ${fields} is discarded: the archive has no such field any more.`;

export const readingValues = ({ done, total }: { done: number; total: number }) =>
  plural(total, {
    one: `Reading the values of 1 revision: ${formatCount(done)} done.`,
    other: `Reading the values of ${formatCount(total)} revisions: ${formatCount(done)} done.`,
  });
export const findingRevisions = 'Finding the revisions…';
export const revisionsRead = 'Revisions read';
export const notRead = 'The revisions could not be read';
export const tooMany = (count: number) =>
  `${formatCount(count)} revisions are too many to correct together`;
export const tooManyHint = (max: number) =>
  `Either all or none of them are changed, so one step can have at most ${formatCount(max)} revisions. Narrow the filter, or select fewer.`;

export const show = 'Show';
/** the buttons over the preview, each with its count behind it */
export const outcomes = {
  all: 'All',
  fails: 'Would fail',
  changes: 'Would change',
  same: 'Unchanged',
  notFound: 'Not found',
  out: 'Left out',
};
/** the headings of the groups in the preview */
export const groups = {
  fails: 'Would fail',
  changes: 'Would change',
  same: 'Unchanged',
  notFound: 'Not found',
};
export const emptyPreview = 'No revision here';
export const revisionList = 'Revisions';
export const revisionGone = 'It was deleted, or you have no right to see it. It is left out.';
export const lockedBy = (person: string) => `The revision is locked by ${person}.`;
export const includeRevision = (id: string) => `Correct revision ${id}`;
export const includeNamedRevision = ({ id, name }: { id: string; name: string }) =>
  `Correct revision ${id}, ${name}`;
export const problem = <Part>({ field, message }: { field: Part; message: string }) =>
  rich`${field}: ${message}`;
export const unchanged = 'It already has these values.';

export const previewRequest = 'Preview request';
export const hideRequest = 'Hide request';
export const requestSize = ({ count, size }: { count: number; size: string }) =>
  plural(count, {
    one: `1 revision, ${size}`,
    other: `${formatCount(count)} revisions, ${size}`,
  });
export const requestText = 'Text of the request';
export const keyMadeWhenSent = 'made when it is sent';
export const moreEntries = (count: number) => `… and ${formatCount(count)} more`;

export const leaveOutUnchanged = 'Leave out unchanged';
export const validateAll = 'Validate all and save';
export const validateAllHint =
  'Validates every field of each revision, changed or not, and saves them';
export const allValidated = 'All fields are validated.';
export const correct = 'Correct';
export const correctRevisions = (count: number) =>
  plural(count, { one: 'Correct 1 revision', other: `Correct ${formatCount(count)} revisions` });
export const correcting = (count: number) =>
  plural(count, {
    one: 'Correcting 1 revision in one step…',
    other: `Correcting ${formatCount(count)} revisions in one step…`,
  });
export const underWay = 'Under way';
export const stopWaiting = 'Stop waiting';
export const valuesBeingRead = 'The old values are being read.';
export const chooseFieldFirst = 'Choose a field first.';
export const giveValue = (label: string) =>
  `Enter a value for ${label}, or choose that it has none.`;
export const wouldFail = (count: number) =>
  plural(count, {
    one: '1 revision would fail.',
    other: `${formatCount(count)} revisions would fail.`,
  });
export const takeOut = (count: number) =>
  plural(count, { one: 'Leave it out', other: 'Leave them out' });
export const nothingWouldChange = 'Nothing would change.';

export const nothingChanged = 'Nothing was changed';
export const refused = (count: number) =>
  plural(count, {
    one: 'Nothing was changed: 1 revision was refused',
    other: `Nothing was changed: ${formatCount(count)} revisions were refused`,
  });
/** A problem of a revision as a whole; `revision` is a button with `revision()`. */
export const revisionProblem = <Part>({ revision, message }: { revision: Part; message: string }) =>
  rich`${revision}: ${message}`;
/** A problem of a field of a revision. */
export const fieldProblem = <Part>(of: { revision: Part; field: Part; message: string }) =>
  rich`${of.revision} ${of.field}: ${of.message}`;
export const revision = (id: string) => `Revision ${id}`;
export const moreProblems = (count: number) => `… and ${formatCount(count)} more in the preview.`;
export const takeOutThese = (count: number) =>
  plural(count, { one: 'Leave it out', other: `Leave these ${formatCount(count)} out` });
export const readAgain = (count: number) =>
  plural(count, { one: 'Read it again', other: 'Read them again' });
export const outcomeUnknown = 'It is not known whether the revisions were corrected';
export const outcomeUnknownHint =
  'The service did not answer. It is safe to send the same request again: the service does not repeat what it has already done. Or read the revisions again to see their current values.';
export const sendAgain = 'Send the same request again';
export const readThemAgain = 'Read them again';

export const corrected = (count: number) =>
  plural(count, {
    one: '1 revision is corrected',
    other: `${formatCount(count)} revisions are corrected`,
  });
export const correctedFields = (labels: readonly string[]) =>
  endSentence(`In ${labels.join(', ')}`);
export const heldValues = (count: number) =>
  plural(count, {
    one: '1 revision already had these values.',
    other: `${formatCount(count)} revisions already had these values.`,
  });
export const hadBeenTakenOut = (count: number) =>
  plural(count, {
    one: '1 revision was left out.',
    other: `${formatCount(count)} revisions were left out.`,
  });
export const wereNotFound = (count: number) =>
  plural(count, {
    one: '1 revision was not found.',
    other: `${formatCount(count)} revisions were not found.`,
  });
export const undoHint = (key: string) =>
  `You can undo all of it here or, while this page is open, with ${key} in the list; later under Spreadsheet, Batch history.`;
export const nothingUndone = 'Nothing was undone';
export const correctMore = 'Correct more of these';
export const undoAll = 'Undo all';
export const oldValuesAgain = (count: number) =>
  plural(count, {
    one: '1 revision has its old values again',
    other: `${formatCount(count)} revisions have their old values again`,
  });

/** `labels` are those of the fields that were reverted. */
export const undone = ({ count, labels }: { count: number; labels: readonly string[] }) =>
  endSentence(
    plural(count, {
      one: `Undone in 1 revision: ${labels.join(', ')}`,
      other: `Undone in ${formatCount(count)} revisions: ${labels.join(', ')}`,
    }),
  );
export const redone = ({ count, labels }: { count: number; labels: readonly string[] }) =>
  endSentence(
    plural(count, {
      one: `Redone in 1 revision: ${labels.join(', ')}`,
      other: `Redone in ${formatCount(count)} revisions: ${labels.join(', ')}`,
    }),
  );
export const nothingWasUndone = 'Nothing was undone.';
export const nothingWasRedone = 'Nothing was redone.';
export const revisionNotFound = 'it was not found';
/** @param reason who has edited them */
export const fieldsEdited = ({ labels, reason }: { labels: readonly string[]; reason: string }) =>
  `${labels.join(', ')} ${reason}`;
