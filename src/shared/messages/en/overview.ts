/** The start page: work lists, what waits for the user, the latest changes. */
import { formatCount } from '../format.ts';
import { rich } from '../rich.ts';
import { plural } from './language.ts';

export const title = 'Overview';
export const notRead = 'The overview could not be read';
export const nothingTitle = 'Nothing to work on yet';
export const nothing =
  'You have no rights to an archive or table. An administrator can give them to you.';

export const nothingForAdministrators = 'There is no archive or table yet';
export const nothingForAdministratorsHint =
  'Load a spreadsheet, from which an archive or a table is created, or design one.';
export const loadData = 'Load data';
export const archivesAndTables = 'Archives and tables';

export const workLists = 'Work lists';
export const noArchive = 'You may open tables, but no archive.';
export const workListsNotRead = 'The work lists could not be read';
export const noWorkLists =
  'No work lists yet. Filter the archive and save the filter as a view to find it here.';
/** `number` is the count as an element. */
export const revisions = <Part>(count: number, number: Part) =>
  plural(count, { one: rich`${number} revision`, other: rich`${number} revisions` });
export const foundByChecks = 'Found by checks';
export const moreChecks = (count: number) =>
  plural(count, { one: '1 more check', other: `${formatCount(count)} more checks` });
export const start = 'Start';
export const startList = (name: string) => `Start: ${name}`;
export const resume = 'Resume';
export const resumeQueue = (queue: string) => `Resume: ${queue}`;
export const notCounted = 'Could not be counted';
export const positionInList = ({ position, total }: { position: number; total: number }) =>
  `${formatCount(position)} of ${formatCount(total)}`;

export const waiting = 'Waiting for you';
export const waitingNotRead = 'Not everything that waits for you could be read';
export const nothingWaiting = 'No open queues, unsaved changes, flags or batches.';
export const queues = 'Queues to resume';
export const unsaved = 'Not saved';
export const unsavedInTable = 'Entries of the table';
export const unsavedRevisions = ({ count, first }: { count: number; first: string }) =>
  plural(count, {
    one: `Revision ${first}`,
    other: `${formatCount(count)} revisions, from ${first} on`,
  });
export const flagged = 'Flagged for later';
export const flagsOf = ({ name, count }: { name: string; count: number }) =>
  `${name}: ${formatCount(count)} flagged`;
export const startFlagged = (name: string) => `Start: flagged in ${name}`;
export const revision = (id: string) => `Revision ${id}`;
export const record = (id: string) => `Record ${id}`;
export const batches = 'Batches under way';
export const batchStates = {
  edit: {
    applying: 'Bulk edit: Running',
    paused: 'Bulk edit: Paused',
    undoing: 'Bulk edit: Undoing',
  },
  import: { applying: 'Import: Running', paused: 'Import: Paused', undoing: 'Import: Undoing' },
  paste: { applying: 'Paste: Running', paused: 'Paste: Paused', undoing: 'Paste: Undoing' },
};

export const latest = 'Latest changes';
export const latestNotRead = 'Not all changes could be read';
export const noChanges = 'Nothing has changed yet.';
export const byYou = (at: string) => `You, ${at}`;
export const byPerson = <Part>(person: Part, at: string) => rich`${person}, ${at}`;
export const queueAside = ({ name, at }: { name: string; at: string }) => `${name}, ${at}`;
