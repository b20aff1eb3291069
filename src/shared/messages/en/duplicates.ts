/** The page that shows duplicates beside each other. */
import { formatCount } from '../format.ts';
import { plural } from './language.ts';

export const title = 'Duplicates';
export const titleIn = (of: string) => `Duplicates in ${of}`;
export const toList = 'Back to the list';
export const equalIn = (fields: string) => `Equal in: ${fields}`;
export const groupPosition = ({ position, total }: { position: number; total: number }) =>
  `Group ${formatCount(position)} of ${formatCount(total)}`;
/** there may be more than were read */
export const groupPositionOfMany = ({ position, total }: { position: number; total: number }) =>
  `Group ${formatCount(position)} of ${formatCount(total)} or more`;
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
export const gone = 'It was deleted, or you can no longer see it.';
export const groupsNotRead = 'The duplicates could not be loaded.';
export const recordNotRead = 'The record could not be loaded.';
export const beingCounted = 'The duplicates are being counted.';
export const noGroups = 'There are no duplicates.';
export const noGroupsOfRecord = (id: string) => `${id} has no duplicates.`;
export const allDone = 'All duplicates are resolved.';

export const notDuplicate = 'Not a duplicate…';
export const notDuplicateTitle = (id: string) => `${id} is not a duplicate`;
export const because = 'Reason';
export const becauseHint =
  'The history shows the reason. The records are compared again when one of these fields changes.';
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

export const merge = 'Merge…';
export const mergeNow = (count: number) => `Merge ${formatCount(count)} records`;
/** the instructions for a merge */
export const mergeHint =
  'Choose the record that stays, then the value of each field. Look-ups of the others will point to it.';
export const stays = 'Stays';
export const goesAway = 'Is deleted';
export const keepThis = 'Keep this record';
/** the name of the button that is a value: which record it is of */
export const takeValue = (of: { field: string; value: string; record: string }) =>
  `${of.field}: ${of.value}, of ${of.record}`;
export const noValue = 'no value';
export const mergeRemoves = (removed: number) =>
  plural(removed, {
    one: '1 record is deleted. The values of the record that stays do not change.',
    other: `${formatCount(removed)} records are deleted. The values of the record that stays do not change.`,
  });
export const mergeCounts = ({ removed, changed }: { removed: number; changed: number }) =>
  `${plural(removed, { one: '1 record is deleted', other: `${formatCount(removed)} records are deleted` })}, ${plural(
    changed,
    {
      one: '1 value of the record that stays changes',
      other: `${formatCount(changed)} values of the record that stays change`,
    },
  )}.`;
/** look-ups that would point to the record that stays; `of` is an archive or table */
export const revisionsFollow = (ref: {
  count: number;
  of: string;
  field: string;
  from: string;
  to: string;
}) =>
  `${plural(ref.count, { one: '1 revision', other: `${formatCount(ref.count)} revisions` })} of ${ref.of}: ${ref.field} ${ref.from} → ${ref.to}`;
export const recordsFollow = (ref: {
  count: number;
  of: string;
  field: string;
  from: string;
  to: string;
}) =>
  `${plural(ref.count, { one: '1 record', other: `${formatCount(ref.count)} records` })} of ${ref.of}: ${ref.field} ${ref.from} → ${ref.to}`;
export const noneFollow = 'No record looks up their values.';
export const planning = 'Looking for records that look up their values';
export const notPlanned = 'The records cannot be merged like this';
export const notMerged = 'The records were not merged';
export const merged = (id: string) => `Merged into record ${id}.`;
export const undoMerge = 'Undo';
export const mergeUndone = 'The merge is undone.';
export const mergeNotUndone = (reason: string) => `The merge was not undone. ${reason}`;
