import type { Transaction } from '#server/database/database.ts';
import { collectionNames } from '#server/database/records/collection-names.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import type { CollectionJob } from '#shared/contract/system-jobs.ts';
import type { Actor } from '../history/history.service.ts';

/** The jobs that change definitions, of all archives and tables, newest first. */
export async function readDefinitionJobs(db: Transaction, limit: number): Promise<CollectionJob[]> {
  const rows = await db.k
    .selectFrom('definition_jobs')
    .select([
      'id',
      'kind',
      'state',
      'done',
      'total',
      'error',
      'actor',
      'created_at as createdAt',
      'finished_at as finishedAt',
      ...collectionNames('definition_jobs'),
    ])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id, actor, createdAt, finishedAt, archive, table, ...same }) => {
    const { username }: Actor = JSON.parse(actor);
    return {
      ...same,
      jobId: String(id),
      ...(archive === null ? {} : { archive }),
      ...(table === null ? {} : { table }),
      startedBy: username,
      startedAt: isoTime(createdAt),
      finishedAt: isoTime(finishedAt),
    };
  });
}
