import { sql } from 'kysely';
import type { Database, Transaction } from '#server/database/database.ts';
import type { Metrics } from '#server/http/monitoring/metrics.ts';

/** Maximum number of counted entries. */
const MAX_COUNTED = 10_000;

/** How many entries are in the outbox, 10,000 at most, and how long the oldest has waited, in milliseconds. */
export async function readLag(db: Transaction): Promise<{ entries: number; age: number }> {
  const { rows } = await sql<{ entries: number | null; oldest: number | null }>`
    select cast(sum(entries) as bigint) as entries, min(at) as oldest from (
      select entries, (select at from history where id = first_id) as at from history_outbox
      order by bulk, first_id limit ${sql.lit(MAX_COUNTED)}
    ) as waiting`.execute(db.k);
  const { entries = null, oldest = null } = rows[0] ?? {};
  return {
    entries: Math.min(entries ?? 0, MAX_COUNTED),
    age: oldest === null ? 0 : Math.max(0, Date.now() - oldest),
  };
}

export function registerLagMetrics(metrics: Metrics, database: Database): void {
  let reading: ReturnType<typeof readLag> | undefined;
  // Both metrics are collected together, and need the same figures.
  const lag = () =>
    (reading ??= database.read(readLag).finally(() => {
      reading = undefined;
    }));
  metrics.gauge(
    {
      name: 'indexdesk_history_unsealed_entries',
      help: `Entries of the history without a position yet, at most ${MAX_COUNTED}.`,
    },
    async () => (await lag()).entries,
  );
  metrics.gauge(
    {
      name: 'indexdesk_history_unsealed_age_seconds',
      help: 'How long the oldest of them has waited.',
    },
    async () => (await lag()).age / 1000,
  );
}
