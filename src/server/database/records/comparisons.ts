import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../database.ts';

export type Sql = RawBuilder<boolean>;

/** The records that meet something, as an index of its own finds them on SQLite. */
export interface SelectedSet {
  /** selects the `_id` of each, at least once */
  readonly select: RawBuilder<unknown>;
  /** those selected are the ones that do not meet it */
  readonly without: boolean;
  /** whether it selects each once and the first of them, by their ids, at once */
  readonly ascending: boolean;
  /** selects the records of which it may be wrong, and which are to be asked themselves; null: it is right */
  readonly doubtful: RawBuilder<unknown> | null;
}

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
