import { sql } from 'kysely';
import type { Transaction } from '../database.ts';
import { updateRows } from './bulk-statements.ts';
import { tableName } from './columns.ts';
import type { Collection } from './collection.ts';
import { readRecords } from './read-records.ts';
import { searchTextOf } from './write-records.ts';

/** Which fields the search texts of an archive or table contain. */
export interface SearchTextsState {
  /** the change of the definition for which they were recomputed last; 0: none */
  readonly changeId: number;
  /** whether all of them are recomputed */
  readonly isComplete: boolean;
}

/** Search texts are recomputed after changes of definitions, without entries in the history. */
export async function readSearchTextsState(
  db: Transaction,
  { kind, id }: Collection,
): Promise<SearchTextsState> {
  const newest = await db.k
    .selectFrom('definition_jobs')
    .select(['id', 'state'])
    .where('scope', '=', kind)
    .where('thing_id', '=', id)
    .where('phase', '=', 'search')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  // After a job that failed some of them are still those of the fields before.
  return { changeId: newest?.id ?? 0, isComplete: !newest || newest.state === 'done' };
}

/** Recomputes the search texts of some records from the current fields of the archive or table. */
export async function refreshSearchTexts(
  db: Transaction,
  collection: Collection,
  ids: readonly number[],
): Promise<void> {
  const { rows } = await sql<{ id: number; text: string }>`
    select _id as id, _search as text from ${sql.table(tableName(collection))}
    where _id ${db.adapter.isAmong(ids)} order by _id ${db.adapter.lockRows}`.execute(db.k);
  const stored = new Map(rows.map(({ id, text }) => [id, text]));
  const records = await readRecords(db, collection, [...stored.keys()]);
  const changed = [...records.values()].flatMap(({ id, values, keywords }) => {
    const text = searchTextOf(collection, values, keywords);
    return text === stored.get(id) ? [] : [[id, text]];
  });
  await updateRows(db, tableName(collection), ['_id'], ['_search'], changed);
  await db.adapter.markSearchTextsChanged(
    db,
    collection,
    changed.map(([id]) => Number(id)),
  );
}
