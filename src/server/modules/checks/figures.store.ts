import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import type { Check } from '#server/database/records/check.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { tableName } from '#server/database/records/columns.ts';
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
export async function keepDailyCounts(
  db: Transaction,
  collection: Subject,
  at: number,
): Promise<void> {
  await sql`insert into daily_findings (scope, thing_id, name, day, count)
    select scope, thing_id, name, ${dayOf(collection, at)}, count from check_states
    where scope = ${collection.kind} and thing_id = ${collection.id} and count is not null
    on conflict do nothing`.execute(db.k);
}

/** The findings of a check that were added and removed. */
interface FindingChanges {
  readonly check: Check;
  readonly added: readonly number[];
  readonly removed: readonly number[];
  /** the document of each record, also of deleted ones; for tables the record itself */
  readonly documents: ReadonlyMap<number, number>;
  /** the users who wrote, by documents */
  readonly authors: ReadonlyMap<number, number>;
}

/**
 * Counts corrected findings: those that were removed, but neither by an exception, nor because another revision of the
 * document has the finding now.
 */
export async function writeCorrections(
  db: Transaction,
  collection: Collection,
  { check, added, removed, documents, authors }: FindingChanges,
  at: number,
): Promise<void> {
  if (removed.length === 0) return;
  const { rows } = await sql<{ id: number }>`select row_id as id from check_exceptions
    where scope = ${collection.kind} and thing_id = ${collection.id} and name = ${check.name}
      and row_id ${db.adapter.isAmong(removed)}`.execute(db.k);
  const excepted = new Set(rows.map(({ id }) => id));
  const documentOf = (id: number) => documents.get(id) ?? id;
  const still = new Set(added.map(documentOf));
  const users = new Set(authors.values());
  // If one of two duplicates is corrected, both are no longer findings.
  const [sole] = users.size === 1 ? users : [];
  const counts = new Map<number, number>();
  for (const id of removed) {
    const document = documentOf(id);
    if (excepted.has(id) || still.has(document)) continue;
    const user = authors.get(document) ?? sole ?? 0;
    counts.set(user, (counts.get(user) ?? 0) + 1);
  }
  const { kind: scope, id: thing_id } = collection;
  const about = { scope, thing_id, name: check.name, day: dayOf(collection, at) };
  for (const [user_id, count] of counts) {
    await db.k
      .insertInto('daily_corrections')
      .values({ ...about, user_id, count })
      .onConflict((conflict) =>
        conflict.columns(['scope', 'thing_id', 'name', 'day', 'user_id']).doUpdateSet((update) => ({
          count: update('daily_corrections.count', '+', update.ref('excluded.count')),
        })),
      )
      .execute();
  }
}

/** The documents of existing records; for tables the records themselves. */
export async function documentsOf(
  db: Transaction,
  collection: Collection,
  ids: readonly number[],
): Promise<Map<number, number>> {
  if (collection.kind === 'table' || ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; document: number }>`
    select _id as id, _document_id as document from ${sql.table(tableName(collection))}
    where _id ${db.adapter.isAmong(ids)}`.execute(db.k);
  return new Map(rows.map(({ id, document }) => [id, document]));
}

/** A count of a check on a day. */
export interface DailyCount {
  readonly name: string;
  readonly day: string;
  readonly count: number;
}

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
