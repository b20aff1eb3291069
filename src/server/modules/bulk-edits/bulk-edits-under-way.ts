import type { Transaction } from '#server/database/database.ts';
import { collectionNames } from '#server/database/records/collection-names.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import type { BulkEditCounts } from '#shared/contract/bulk-edit-answers.ts';
import type { CollectionJob } from '#shared/contract/system-jobs.ts';

const MAX_LISTED = 100;

/** The batches of all users that are applied, reverted or paused, newest first. */
export async function readBulkEditsUnderWay(db: Transaction): Promise<CollectionJob[]> {
  const rows = await db.k
    .selectFrom('bulk_edits')
    .select([
      'id',
      'kind',
      'state',
      'counts',
      'owner_name as owner',
      'created_at as createdAt',
      ...collectionNames('bulk_edits'),
    ])
    .where('state', 'in', ['applying', 'undoing', 'paused'])
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute();
  return rows.map(({ id, kind, state, owner, createdAt, archive, table, ...row }) => {
    const counts: BulkEditCounts = JSON.parse(row.counts);
    return {
      jobId: String(id),
      kind,
      ...(archive === null ? {} : { archive }),
      ...(table === null ? {} : { table }),
      state,
      done: state === 'undoing' ? counts.takenBack : counts.done,
      total: state === 'undoing' ? counts.done : counts.done + counts.pending,
      error: null,
      startedBy: owner,
      startedAt: isoTime(createdAt),
      finishedAt: null,
    };
  });
}
