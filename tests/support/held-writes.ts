import { sql } from 'kysely';
import { expect } from 'vitest';
import { READ_COMMITTED, type Database, type Transaction } from '#server/database/database.ts';
import { blockedWrites } from './databases.ts';

/** Does a write of records, and keeps its locks. @returns commits it */
export async function holdWrite(
  database: Database,
  work: (db: Transaction) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const writing = database.write(async (db) => {
    await work(db);
    held.resolve();
    await over.promise;
  }, READ_COMMITTED);
  await Promise.race([held.promise, writing]);
  return async () => {
    over.resolve();
    await writing;
  };
}

/**
 * Lets the jobs of a PostgreSQL database that change definitions wait when nothing but the change itself is left to do.
 * @returns lets them go on
 */
export async function holdSwitches(database: Database): Promise<() => Promise<void>> {
  await database.write(async (db) => {
    await sql`create function hold_switch() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(1); return new; end $$`.execute(db.k);
    await sql`create trigger hold_switch before update on definition_jobs for each row
      when (old.phase = 'index' and new.phase = 'switch') execute function hold_switch()`.execute(
      db.k,
    );
  });
  const release = await holdWrite(database, (db) =>
    sql`select pg_advisory_xact_lock(1)`.execute(db.k),
  );
  const waiting = () =>
    database.read((db) =>
      db.k.selectFrom('definition_jobs').select('id').where('phase', '=', 'index').execute(),
    );
  return async () => {
    await release();
    await expect.poll(waiting).toEqual([]);
  };
}

/** Resolves when this many writes wait for others (`blockedWrites`). */
export async function waitForBlocked(database: Database, count: number): Promise<void> {
  await expect.poll(() => blockedWrites(database)).toBeGreaterThanOrEqual(count);
}
