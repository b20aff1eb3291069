/** The palette, which opens pages by their names. */
import { formatCount } from '../format.ts';
import { plural } from './language.ts';

export const goTo = 'Go to';
export const goToPlaceholder = 'Archive, table, view, value, command or revision number';
export const destinations = 'Destinations';
export const noResults = 'No results';
export const openRevision = ({ revisionId, of }: { revisionId: string; of: string }) =>
  `Open revision ${revisionId} in ${of}`;

/** The description of a palette entry, besides its name. `of` is an archive or a table. */
export const archiveWith = (count: number) =>
  plural(count, { one: 'archive, 1 revision', other: `archive, ${formatCount(count)} revisions` });
export const tableWith = (count: number) =>
  plural(count, { one: 'table, 1 record', other: `table, ${formatCount(count)} records` });
export const revisionIn = ({ revisionId, of }: { revisionId: string; of: string }) =>
  `revision ${revisionId} in ${of}`;
export const recordIn = (of: string) => `record in ${of}`;
export const viewOf = (of: string) => `view of ${of}`;
export const reviewIn = (of: string) => `Review one field next to the pages: ${of}`;
export const command = 'command';
export const cleanUpValues = (field: string) => `Clean up values: ${field}`;
export const resumeQueue = (queue: string) => `Resume: ${queue}`;

/** the figures of an archive or table */
export const figures = 'Figures';
export const figuresOf = (of: string) => `Figures: ${of}`;
