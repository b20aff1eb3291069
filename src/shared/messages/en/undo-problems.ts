/** What undo and redo do not change, and why. `reason` is a sentence. */
import { formatCount } from '../format.ts';
import { rich } from '../rich.ts';
import { plural } from './language.ts';

export const unreverted = (count: number) =>
  plural(count, {
    one: 'One value or record stays as it is: it was edited since.',
    other: `${formatCount(count)} values or records stay as they are: they were edited since.`,
  });
export const unrevertedList = 'Not undone';
/** @param subject the record and its column */
export const changedBy = <Part>(subject: Part, person: Part, at: string) =>
  rich`${subject} by ${person}, ${at}`;
export const deletedBy = <Part>(subject: Part, person: Part, at: string) =>
  rich`${subject}, deleted by ${person}, ${at}`;
export const moreUnreverted = (count: number) => `and ${formatCount(count)} more`;
export const close = 'Close';
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
