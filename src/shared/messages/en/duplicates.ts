/** The page that shows duplicates beside each other. */
import { formatCount } from '../format.ts';
import { plural } from './language.ts';

export const title = 'Duplicates';
export const titleIn = (of: string) => `Duplicates in ${of}`;
export const toList = 'Back to the list';
export const equalIn = (fields: string) => `Equal in: ${fields}`;
export const groupPlace = ({ place, total }: { place: number; total: number }) =>
  `Group ${formatCount(place)} of ${formatCount(total)}`;
/** there may be more than were read */
export const groupPlaceOfMany = ({ place, total }: { place: number; total: number }) =>
  `Group ${formatCount(place)} of ${formatCount(total)} or more`;
export const previousGroup = 'Previous group';
export const nextGroup = 'Next group';
export const onlyDiffering = 'Only fields that differ';
export const comparison = 'Comparison';
export const field = 'Field';
export const revision = (id: string) => `Revision ${id}`;
export const record = (id: string) => `Record ${id}`;
export const open = 'Edit';
export const differs = 'differs';
export const nothingDiffers = 'All fields are equal.';
export const documents = 'Documents';
export const documentOf = (id: string) => `Document of revision ${id}`;
export const showDocument = 'Show the document';
export const changed = ({ at, by }: { at: string; by: string }) => `Changed ${at} by ${by}`;
export const notAll = ({ shown, count }: { shown: number; count: number }) =>
  `The first ${formatCount(shown)} of ${formatCount(count)} records are shown.`;
export const gone = 'It was deleted, or you may not see it any more.';
export const groupsNotRead = 'The duplicates could not be loaded.';
export const recordNotRead = 'The record could not be loaded.';
export const noGroups = 'There are no duplicates.';
export const noGroupsOfRecord = (id: string) => `${id} has no duplicates.`;
export const allDone = 'All duplicates are dealt with.';

export const notDuplicate = 'Not a duplicate…';
export const notDuplicateTitle = (id: string) => `${id} is not a duplicate`;
export const because = 'Because';
export const becauseHint =
  'The history shows it. The records are compared again when one of these fields changes.';
export const enterReason = 'Enter a reason.';
export const whichDiffer = 'Which records differ';
export const thisDiffers = 'This one differs from all others';
export const allDiffer = 'All differ from each other';
export const notDuplicateNotSaved = 'The exception was not saved';
export const saveNotDuplicate = 'Not a duplicate';
export const notDuplicateSaved = (count: number) =>
  plural(count, {
    one: 'One pair is not counted as duplicates any more.',
    other: `${formatCount(count)} pairs are not counted as duplicates any more.`,
  });
