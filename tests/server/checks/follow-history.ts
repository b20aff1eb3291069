import { expect } from 'vitest';
import type { Database } from '#server/database/database.ts';

/** Resolves when the counts of checks have followed all entries of the history. */
export async function historyFollowed(database: Database): Promise<void> {
  const behind = () =>
    database.read(async (db) => {
      const { entries } = await db.k
        .selectFrom('history')
        .select(({ fn }) => fn.countAll<number>().as('entries'))
        .executeTakeFirstOrThrow();
      const { position } = await db.k
        .selectFrom('check_worker')
        .select('position')
        .executeTakeFirstOrThrow();
      return entries - position;
    });
  await expect.poll(behind).toBe(0);
}
