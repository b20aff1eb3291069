/** The texts of the service about bulk edits, imports and large pastes as a whole. `kind` is that of their list. */
import { formatCount } from '#shared/messages/format.ts';
import { coded } from '#shared/messages/message.ts';
import { plural } from '../language.ts';

type Kind = 'archive' | 'table';

export const alreadyApplied = coded('bulkEdits.alreadyApplied', 'It has been applied already.');
export const notUnderWay = coded('bulkEdits.notUnderWay', 'It is not under way.');
export const notPaused = coded('bulkEdits.notPaused', 'It is not paused.');
export const underWay = coded('bulkEdits.underWay', 'It is under way.');
export const underWayOrUndone = coded(
  'bulkEdits.underWayOrUndone',
  'It is not applied, is under way, or is undone already.',
);
export const nothingToUndo = coded('bulkEdits.nothingToUndo', 'There is nothing to undo.');
export const hasReceipt = coded(
  'bulkEdits.hasReceipt',
  'It has changed something: its receipt stays.',
);
export const pageUnknown = coded('bulkEdits.pageUnknown', 'This is no `next` of a page.');
export const noBulkEdit = coded('bulkEdits.noBulkEdit', ({ kind }: { kind: Kind }) =>
  kind === 'archive'
    ? 'There is no bulk edit of this id in this archive.'
    : 'There is no bulk edit of this id in this table.',
);
export const noneToUndo = coded(
  'bulkEdits.noneToUndo',
  'There is no bulk edit of this id that could be undone.',
);
export const ofOtherUser = coded('bulkEdits.ofOtherUser', 'This bulk edit is another user’s.');
export const notEnded = coded(
  'bulkEdits.notEnded',
  'Only a bulk edit that has ended can be tried again.',
);
export const nothingFailed = coded('bulkEdits.nothingFailed', 'There is nothing that failed.');
export const fieldOfEditGone = coded(
  'bulkEdits.fieldOfEditGone',
  'The field of this edit does not exist any more. Make a new bulk edit.',
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
    `The texts that would change have more than ${formatCount(max)} characters. Select fewer.`,
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
