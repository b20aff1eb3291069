/** Queues that wait, flags, and how far a queue is. */
import { formatCount } from '../format.ts';
import { plural } from './language.ts';

export const resume = 'Resume';
export const queuesNotRead = 'The queues could not be read';
export const noQueueWaiting = 'No queue is waiting.';
export const nothingFlagged = 'Nothing is flagged for later';
export const goThroughFlagged = (count: number) =>
  plural(count, {
    one: 'Go through the one flagged for later',
    other: `Go through the ${formatCount(count)} flagged for later`,
  });
export const revision = (id: string) => `Revision ${id}`;
export const allFlags = (count: number) => `All ${formatCount(count)} flags…`;
export const listOfFlags = 'List of the flags…';
/** How many revisions of a queue have each outcome. */
export const corrected = (count: number) => `${formatCount(count)} corrected`;
export const unchanged = (count: number) => `${formatCount(count)} unchanged`;
export const skipped = (count: number) => `${formatCount(count)} skipped`;
export const deletedByOthers = (count: number) => `${formatCount(count)} deleted by others`;
