/** The texts of the service about bulk edits, imports and large pastes as a whole. `kind` is that of their list. */
import { formatCount } from '#shared/messages/format.ts';
import { coded } from '#shared/messages/message.ts';
import { plural } from '../language.ts';

type Kind = 'archive' | 'table';

export const alreadyApplied = coded(
  'bulkEdits.alreadyApplied',
  'This batch has already been applied.',
);
export const notUnderWay = coded('bulkEdits.notUnderWay', 'This batch is not running.');
export const notPaused = coded('bulkEdits.notPaused', 'This batch is not paused.');
export const underWay = coded('bulkEdits.underWay', 'This batch is running.');
export const underWayOrUndone = coded(
  'bulkEdits.underWayOrUndone',
  'This batch is not applied yet, is running, or has already been undone.',
);
export const nothingToUndo = coded(
  'bulkEdits.nothingToUndo',
  'This batch has changed nothing that could be undone.',
);
export const hasReceipt = coded(
  'bulkEdits.hasReceipt',
  'This batch has changed records, so it cannot be deleted.',
);
export const pageUnknown = coded('bulkEdits.pageUnknown', 'This is not the `next` of a page.');
export const noBulkEdit = coded('bulkEdits.noBulkEdit', ({ kind }: { kind: Kind }) =>
  kind === 'archive'
    ? 'There is no batch with this id in this archive.'
    : 'There is no batch with this id in this table.',
);
export const noneToUndo = coded(
  'bulkEdits.noneToUndo',
  'There is no batch with this id that can be undone.',
);
export const ofOtherUser = coded('bulkEdits.ofOtherUser', 'This batch belongs to another user.');
export const notEnded = coded(
  'bulkEdits.notEnded',
  'Only a batch that has ended can be tried again.',
);
export const nothingFailed = coded('bulkEdits.nothingFailed', 'No record of this batch failed.');
export const fieldOfEditGone = coded(
  'bulkEdits.fieldOfEditGone',
  'The field of this edit no longer exists. Plan a new batch.',
);
export const changedSincePlan = coded(
  'bulkEdits.changedSincePlan',
  ({ kind, count }: { kind: Kind; count: number }) =>
    kind === 'archive'
      ? plural(count, {
          one: '1 revision was changed since the plan. Nothing was changed.',
          other: `${formatCount(count)} revisions were changed since the plan. Nothing was changed.`,
        })
      : plural(count, {
          one: '1 record was changed since the plan. Nothing was changed.',
          other: `${formatCount(count)} records were changed since the plan. Nothing was changed.`,
        }),
);
export const textsTooLong = coded(
  'bulkEdits.textsTooLong',
  ({ max }: { max: number }) =>
    `The texts that would change have more than ${formatCount(max)} characters. Select fewer revisions.`,
);
export const planTooSlow = coded(
  'bulkEdits.planTooSlow',
  ({ seconds }: { seconds: number }) =>
    `These edits take longer than ${seconds} seconds. Select fewer revisions or use a simpler pattern.`,
);
export const rowsTooSlow = coded(
  'bulkEdits.rowsTooSlow',
  ({ kind, minutes }: { kind: 'import' | 'paste'; minutes: number }) =>
    kind === 'import'
      ? `It takes longer than ${minutes} minutes to plan these rows. Split the file.`
      : `It takes longer than ${minutes} minutes to plan these rows. Paste fewer rows.`,
);
