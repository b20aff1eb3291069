import type { Transaction } from '#server/database/database.ts';
import { isoTime } from '#server/iso-time.ts';
import type { CollectionJob } from '#shared/contract/system-jobs.ts';
import type { Actor } from '../history/history.service.ts';

/** The jobs that change definitions, of all archives and tables, newest first. */
export async function readDefinitionJobs(db: Transaction, limit: number): Promise<CollectionJob[]> {
  const rows = await db.k
    .selectFrom('definition_jobs')
    .leftJoin('archives', (join) =>
      join
        .onRef('archives.id', '=', 'definition_jobs.thing_id')
        .on('definition_jobs.scope', '=', 'archive'),
    )
    .leftJoin('data_tables', (join) =>
      join
        .onRef('data_tables.id', '=', 'definition_jobs.thing_id')
        .on('definition_jobs.scope', '=', 'table'),
    )
    .select([
      'definition_jobs.id',
      'definition_jobs.kind',
      'definition_jobs.state',
      'definition_jobs.done',
      'definition_jobs.total',
      'definition_jobs.error',
      'definition_jobs.actor',
      'definition_jobs.created_at as createdAt',
      'definition_jobs.finished_at as finishedAt',
      'archives.table_name as archive',
      'data_tables.guid as table',
    ])
    .orderBy('definition_jobs.id', 'desc')
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
