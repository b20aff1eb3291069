import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../database.ts';

export type Sql = RawBuilder<boolean>;

/** All of the conditions; true where there are none. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql<boolean>`1 = 1` : sql`${sql.join(conditions, sql` and `)}`;
}

export const COMPARISONS = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` } as const;

/** Whether a text has a part, character by character. */
export function contains(db: Transaction, column: RawBuilder<unknown>, needle: string): Sql {
  return db.dialect === 'sqlite'
    ? sql`instr(${column}, ${needle}) > 0`
    : sql`${column} like ${`%${needle.replaceAll(/[\\%_]/g, '\\$&')}%`}`;
}
