/** The list of an archive's revisions: columns, count, selection, empty states, keys. */
import { formatCount } from '../format.ts';
import { plural } from './language.ts';

export const revisions = 'Revisions';
export const revisionsOf = (archive: string) => `Revisions of ${archive}`;
export const initialOrder = 'By revision, ascending.';

export const revisionColumn = 'Revision';
export const changedAtColumn = 'Changed at';
export const changedByColumn = 'Changed by';
export const unsaved = 'Unsaved';
export const lockedBy = (person: string) => `Locked by ${person}`;

export const moreThan = (count: number) => `more than ${formatCount(count)} revisions`;
export const countOf = ({ count, total }: { count: number; total: number }) =>
  `${formatCount(count)} of ${formatCount(total)} revisions`;
export const countOfFiltered = ({ count, total }: { count: number; total: number }) =>
  `${formatCount(count)} of ${formatCount(total)} revisions, filtered`;
export const count = (count: number) =>
  plural(count, { one: '1 revision', other: `${formatCount(count)} revisions` });
export const countUnsaved = (count: number) => `${formatCount(count)} unsaved`;
export const openNextUnsaved = 'Open the next one that is not saved';

export const unreachable = 'The server cannot be reached; the list appears when it is back';
export const notRead = 'The list could not be read';
export const loading = 'Loading the revisions';
export const showAll = 'Show all revisions';
export const noMatch = 'No revision matches';
export const noMatchHint = 'Nothing in this archive matches the current filter and search.';
export const empty = 'This archive is empty';
export const emptyHint = 'It contains no revisions yet. Administrators load them.';
export const emptyHintForAdministrators =
  'It contains no revisions yet. Load documents with their files, or the rows of a spreadsheet:';
export const loadDocuments = 'Load documents';
export const loadData = 'Load data';

export const selectNone = 'Select none';
export const selectAll = 'Select all';
export const selectAllByKey = (key: string) => `Select all that match  ${key}`;
export const selectedRevisions = 'Selected revisions';
export const selected = (count: number) => `${formatCount(count)} selected`;
export const allSelected = (count: number) => `All ${formatCount(count)} that match selected`;
export const moreThanSelected = (count: number) =>
  `All more than ${formatCount(count)} that match selected`;
export const correctTogether = 'Correct together…';
export const oneByOne = 'One by one';
export const oneByOneHint = (key: string) => `Correct them one by one  ${key}`;
export const byRules = 'By rules…';
export const reviewField = 'Review next to the pages…';
export const reviewFieldHint = 'One field of these revisions, next to clippings of their pages';
export const tooManyToReview = (max: number) =>
  `At most ${formatCount(max)} selected revisions; filter the list for more`;
/** in the menu of a heading */
export const reviewColumn = 'Review next to the pages';
export const selectCount = (count: number) => `Select all ${formatCount(count)} that match`;
export const selectMatching = 'Select all that match';
export const clear = 'Clear';
export const notOpened = (reason: string) => `The revision could not be opened. ${reason}`;
export const notSelected = (reason: string) => `The revisions could not be selected. ${reason}`;

/** What keys do, in the key sheet. */
export const keys = {
  move: 'Next row; ↑ the one before, from the first row to the headings; Page and End keys further',
  open: 'Open the form of the row',
  toggle: 'Select the row, or not',
  extend: 'Select rows on from here',
  all: 'Select all that match',
  correct:
    'Correct the selected revisions one by one; without a selection, all that match; without a match, the next list',
};
