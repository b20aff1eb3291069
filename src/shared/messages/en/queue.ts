/** A queue of revisions: the bar over the form, the flag, and its end. */
import { formatCount } from '../format.ts';
import { plural } from './language.ts';

export const queue = 'Queue';
export const progress = 'Progress through the queue';
export const position = ({ shown, total }: { shown: number; total: number }) =>
  `${formatCount(shown)} of ${formatCount(total)}`;
export const done = (total: number) => `Done: ${formatCount(total)} of ${formatCount(total)}`;
export const toField = (label: string) => `To ${label}`;
export const toFieldHint = 'Puts the cursor into the field that this list is about';
export const notSaved = (count: number) => `${formatCount(count)} not saved; go there`;
export const passedUnsaved = (count: number) =>
  `${formatCount(count)} passed with unsaved changes; go there`;
export const back = 'Back';
export const skip = 'Skip';

export const flag = 'Flag';
export const flagged = 'Flagged';
export const flagForLater = 'Flag for later';
export const flagForLaterByKey = (key: string) => `Flag for later  ${key}`;
export const whatIsToDo = 'What is to be done about it?';
export const noteHint = 'A note for later; may stay empty';
export const removeFlag = 'Remove the flag';
export const flagAndNext = 'Flag and next';
export const notFlagged = ({ id, reason }: { id: string; reason: string }) =>
  `Revision ${id} could not be flagged. ${reason}`;

export const allSeen = (total: number) =>
  plural(total, {
    one: 'You have been through this one',
    other: `You have been through all ${formatCount(total)}`,
  });
export const countFlagged = (count: number) => `${formatCount(count)} flagged`;
export const backToList = 'Back to the list';
export const goThroughSkipped = (count: number) =>
  plural(count, {
    one: 'Go to the skipped one',
    other: `Go through the ${formatCount(count)} skipped`,
  });
export const goThroughFlagged = (count: number) =>
  plural(count, {
    one: 'Go to the flagged one',
    other: `Go through the ${formatCount(count)} flagged`,
  });
export const goThroughAllFlagged = (count: number) =>
  `Go through all ${formatCount(count)} flagged in the archive`;

export const positionNotStored = (reason: string) =>
  `Your position in the queue is not saved yet. ${reason}`;
/** `id` is that of the first of `count` revisions. */
export const revisionsDeleted = ({ count, id }: { count: number; id: string }) =>
  plural(count, {
    one: `Revision ${id} was not found: somebody has deleted it. The next one follows.`,
    other: `${formatCount(count)} revisions were not found: somebody has deleted them. The next one follows.`,
  });
