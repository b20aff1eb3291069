import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { DailyFindingRow } from '#server/database/tables/check-result-tables.ts';
import { clockOf } from '#shared/checks/rule-clock.ts';

/** In `daily_findings`: the records with a finding of any check. */
export const ANY_CHECK = '';

/** The day in the time zone of the service. */
export function dayOf({ timeZone }: Pick<Collection, 'timeZone'>, at: number): string {
  return clockOf(at, timeZone).today;
}

type Subject = Pick<Collection, 'kind' | 'id' | 'timeZone'>;

/** Stores the number of findings today; a later count of the same day replaces it. @param name of the check */
export async function writeDailyCount(
  db: Transaction,
  collection: Subject,
  name: string,
  count: number,
  at: number,
): Promise<void> {
  const { kind: scope, id: thing_id } = collection;
  await db.k
    .insertInto('daily_findings')
    .values({ scope, thing_id, name, day: dayOf(collection, at), count })
    .onConflict((conflict) =>
      conflict.columns(['scope', 'thing_id', 'name', 'day']).doUpdateSet({ count }),
    )
    .execute();
}

/** Stores the counts of checks without one for today: each change of a count has stored it. */
export async function storeDailyCounts(
  db: Transaction,
  collection: Subject,
  at: number,
): Promise<void> {
  await sql`insert into daily_findings (scope, thing_id, name, day, count)
    select scope, thing_id, name, ${dayOf(collection, at)}, count from check_states
    where scope = ${collection.kind} and thing_id = ${collection.id} and count is not null
    on conflict do nothing`.execute(db.k);
}

/**
 * Counts corrected findings of a check.
 * @param users the user who corrected each of them; 0: unknown
 */
export async function writeCorrections(
  db: Transaction,
  collection: Subject,
  name: string,
  users: readonly number[],
  at: number,
): Promise<void> {
  const { kind: scope, id: thing_id } = collection;
  const about = { scope, thing_id, name, day: dayOf(collection, at) };
  for (const [user_id, corrections] of Map.groupBy(users, (user) => user)) {
    await db.k
      .insertInto('daily_corrections')
      .values({ ...about, user_id, count: corrections.length })
      .onConflict((conflict) =>
        conflict.columns(['scope', 'thing_id', 'name', 'day', 'user_id']).doUpdateSet((update) => ({
          count: update('daily_corrections.count', '+', update.ref('excluded.count')),
        })),
      )
      .execute();
  }
}

/** A count of a check on a day. */
export type DailyCount = Pick<DailyFindingRow, 'name' | 'day' | 'count'>;

/** The counts of checks since a day, oldest first, and for each check the last one before. */
export async function readDailyCounts(
  db: Transaction,
  { kind, id }: Pick<Collection, 'kind' | 'id'>,
  since: string,
): Promise<DailyCount[]> {
  const { rows } = await sql<DailyCount>`
    select name, day, count from daily_findings as counted
    where scope = ${kind} and thing_id = ${id} and day >= coalesce((
      select max(day) from daily_findings as earlier
      where earlier.scope = counted.scope and earlier.thing_id = counted.thing_id
        and earlier.name = counted.name and earlier.day < ${since}), ${since})
    order by day`.execute(db.k);
  return rows;
}

/** Findings that a user corrected on a day. */
export interface DailyCorrection extends DailyCount {
  /** 0: not known, or no user */
  readonly userId: number;
}

/** The corrections since a day. */
export function readCorrections(
  db: Transaction,
  { kind, id }: Pick<Collection, 'kind' | 'id'>,
  since: string,
): Promise<DailyCorrection[]> {
  return db.k
    .selectFrom('daily_corrections')
    .select(['name', 'day', 'count', 'user_id as userId'])
    .where('scope', '=', kind)
    .where('thing_id', '=', id)
    .where('day', '>=', since)
    .execute();
}
