import type { Transaction } from '#server/database/database.ts';
import { isoTime } from '#server/iso-time.ts';
import type { BulkEditCounts } from '#shared/contract/bulk-edit-answers.ts';
import type { CollectionJob } from '#shared/contract/system-jobs.ts';

const MAX_LISTED = 100;

/** The bulk edits, imports and pastes of all users that are applied, reverted or paused, newest first. */
export async function readBulkEditsUnderWay(db: Transaction): Promise<CollectionJob[]> {
  const rows = await db.k
    .selectFrom('bulk_edits')
    .leftJoin('archives', (join) =>
      join.onRef('archives.id', '=', 'bulk_edits.thing_id').on('bulk_edits.scope', '=', 'archive'),
    )
    .leftJoin('data_tables', (join) =>
      join.onRef('data_tables.id', '=', 'bulk_edits.thing_id').on('bulk_edits.scope', '=', 'table'),
    )
    .select([
      'bulk_edits.id',
      'bulk_edits.kind',
      'bulk_edits.state',
      'bulk_edits.counts',
      'bulk_edits.owner_name as owner',
      'bulk_edits.created_at as createdAt',
      'archives.table_name as archive',
      'data_tables.guid as table',
    ])
    .where('bulk_edits.state', 'in', ['applying', 'undoing', 'paused'])
    .orderBy('bulk_edits.id', 'desc')
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
