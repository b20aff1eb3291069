/** The list of the revisions that a user has flagged for later. */
import { formatCount } from '../format.ts';
import { plural } from './language.ts';

export const title = 'Flagged for later';
export const loading = 'Loading the flags';
export const notRemoved = 'The flag could not be removed';
export const nothingFlagged = 'Nothing is flagged for later.';
export const revisions = (count: number) =>
  plural(count, { one: '1 revision', other: `${formatCount(count)} revisions` });
export const goThroughThem = 'Go through them';
export const revision = (id: string) => `Revision ${id}`;
export const removeFlag = 'Remove the flag';
export const removeFlagOf = (id: string) => `Remove the flag of revision ${id}`;
