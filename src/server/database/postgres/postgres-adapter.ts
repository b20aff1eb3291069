import { sql } from 'kysely';
import type { Adapter } from '../database.ts';

export const POSTGRES: Adapter = {
  isShared: true,
  // In the order of the ids, if several: two writes then cannot wait for each other.
  lockRows: sql`for no key update`,
  useIndex: () => sql``,
  // An array, as the planner takes a list that it has to unpack for long.
  isAmong: (numbers) => sql`= any(${`{${numbers.join()}}`}::bigint[])`,
  async lockNumber(db, number) {
    await sql`select pg_advisory_xact_lock(${number}::bigint)`.execute(db.k);
  },
  async isStandby(db) {
    const { rows } = await sql<{ standby: boolean }>`
      select pg_is_in_recovery() as standby`.execute(db.k);
    return rows[0]?.standby === true;
  },
  async analyze(db, table) {
    await sql`analyze ${sql.table(table)}`.execute(db.k);
  },
  async limitLockWaits(db, milliseconds) {
    await sql`set local lock_timeout to ${sql.lit(milliseconds)}`.execute(db.k);
  },
};
