import { sql, type RawBuilder } from 'kysely';

export type Sql = RawBuilder<boolean>;

/** All of the conditions; true for an empty list. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql<boolean>`1 = 1` : sql`${sql.join(conditions, sql` and `)}`;
}

/** At least one of the conditions; false for an empty list. */
export function anyOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql<boolean>`1 = 0` : sql`(${sql.join(conditions, sql` or `)})`;
}

export const COMPARISON_SQL = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` } as const;
