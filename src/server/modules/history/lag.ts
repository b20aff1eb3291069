import { sql } from 'kysely';
import type { Database, Transaction } from '#server/database/database.ts';
import type { Metrics } from '#server/http/monitoring/metrics.ts';
import { readLastBlock } from './blocks.store.ts';
import { readLarge } from './postgres-unsealed.ts';

/** How many are counted at most. */
const MOST = 10_000;

/**
 * How many entries of the history, at most 10,000, lie behind the last that has its place, or belong to a large
 * transaction that is still worked off, and since when the first of them has waited, in milliseconds. On PostgreSQL
 * one may be missing that was committed late.
 */
export async function readLag(db: Transaction): Promise<{ entries: number; age: number }> {
  const last = await readLastBlock(db);
  const large = readLarge(last);
  const behind = [
    sql`id > ${last?.last_id ?? 0}`,
    ...large.map(
      ({ xid, after, upTo }) =>
        sql`(id > ${after} and id <= ${upTo} and xid is not distinct from ${xid}::text::xid8)`,
    ),
  ];
  const first = Math.min(last?.last_id ?? 0, ...large.map(({ after }) => after));
  const { rows } = await sql<{ entries: number; oldest: number | null }>`
    select count(*) as entries, min(at) as oldest from (
      select at from history where id > ${first} and (${sql.join(behind, sql` or `)})
      order by id limit ${sql.lit(MOST)}
    ) as behind`.execute(db.k);
  const [row] = rows;
  const oldest = row?.oldest ?? null;
  return {
    entries: row?.entries ?? 0,
    age: oldest === null ? 0 : Math.max(0, Date.now() - oldest),
  };
}

export function describeLag(metrics: Metrics, database: Database): void {
  metrics.gauge(
    {
      name: 'indexdesk_history_unsealed_entries',
      help: `Entries of the history that are not sealed yet, at most ${MOST}.`,
    },
    async () => (await database.read(readLag)).entries,
  );
  metrics.gauge(
    {
      name: 'indexdesk_history_unsealed_age_seconds',
      help: 'How long the oldest of them has waited.',
    },
    async () => (await database.read(readLag)).age / 1000,
  );
}
