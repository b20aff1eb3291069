/** What undo and redo do not change, and why. `reason` is a sentence. */
import { formatCount } from '../format.ts';
import { endSentence, plural } from './language.ts';

export const unreverted = (count: number) =>
  plural(count, {
    one: 'One value or record stays as it is:',
    other: `${formatCount(count)} values or records stay as they are:`,
  });
export const unrevertedList = 'Not undone';
/** Why something stays as it is; `by` is a display name, `at` a date and time. */
export const editedBy = ({ by, at }: { by: string; at: string | null }) =>
  at === null ? `edited by ${by}` : `edited by ${by}, ${at}`;
export const deletedBy = ({ by, at }: { by: string; at: string | null }) =>
  at === null ? `deleted by ${by}` : `deleted by ${by}, ${at}`;
export const editedSince = 'edited since';
export const stays = ({ subject, reason }: { subject: string; reason: string }) =>
  endSentence(`${subject} stays as it is: ${reason}`);
export const notFound = (id: string) => `Revision ${id} was not found.`;
export const saveNotUndone = ({ id, reason }: { id: string; reason: string }) =>
  `The save of revision ${id} is not undone. ${reason}`;
export const saveNotRedone = ({ id, reason }: { id: string; reason: string }) =>
  `Nothing was redone in revision ${id}. ${reason}`;
export const correctionNotUndone = ({ count, reason }: { count: number; reason: string }) =>
  plural(count, {
    one: `The correction of 1 revision is not undone. ${reason}`,
    other: `The correction of ${formatCount(count)} revisions is not undone. ${reason}`,
  });
export const correctionNotRedone = ({ count, reason }: { count: number; reason: string }) =>
  plural(count, {
    one: `Nothing was redone in 1 revision. ${reason}`,
    other: `Nothing was redone in ${formatCount(count)} revisions. ${reason}`,
  });
