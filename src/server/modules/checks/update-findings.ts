import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { insertRows } from '#server/database/records/bulk.ts';
import type { Check } from '#server/database/records/check.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { tableName } from '#server/database/records/columns.ts';
import { readStoredHistories } from '../history/history.service.ts';
import { isOnPages, updateMisses } from '../page-texts/page-misses.ts';
import * as store from './check-states.store.ts';
import { writeCorrections, writeDailyCount } from './figures.store.ts';
import type { CheckState } from './check-states.store.ts';
import {
  duplicateKeys,
  duplicatesAmong,
  exceptedPairs,
  findRecords,
  type DuplicateKey,
} from './find-records.ts';

/** A check whose findings are stored. */
export interface CountedCheck {
  readonly check: Check;
  readonly state: CheckState;
}

/**
 * Evaluates records that were created, changed or deleted, and stores the findings of the counted checks in them.
 * @param ids of the records, also of deleted ones
 * @param authors the author of each record's change, if known; null: the change has no author
 */
export async function updateFindings(
  db: Transaction,
  collection: Collection,
  counted: readonly CountedCheck[],
  ids: readonly number[],
  authors: ReadonlyMap<number, number> | null,
): Promise<void> {
  const documents = await withOtherRevisions(db, collection, ids);
  const affected = [...documents.keys()];
  const byDocument = new Map(
    [...(authors ?? [])].map(([id, author]) => [documents.get(id) ?? id, author]),
  );
  const now = Date.now();
  for (const { check, state } of counted) {
    if (isOnPages(check)) await updateMisses(db, collection, check, affected);
    const seen = check.duplicates
      ? await updateDuplicates(db, collection, { check, state }, affected)
      : { found: await findRecords(db, collection, check, affected), among: affected };
    const stored = await store.readFindings(db, state.id, seen.among);
    const { added, removed } = differenceOf(stored, seen.found);
    await store.writeFindings(db, state.id, { added, removed });
    const all = state.found + added.length - removed.length;
    await store.updateState(db, state.id, { found: all, count: all, as_of: now });
    if (added.length + removed.length === 0) continue;
    await writeDailyCount(db, collection, check.name, all, now);
    if (!authors) continue;
    await writeCorrections(
      db,
      collection,
      { check, added, removed, documents, authors: byDocument },
      now,
    );
  }
}

/** The added and the removed ids. */
export function differenceOf(
  before: readonly number[],
  after: readonly number[],
): { readonly added: number[]; readonly removed: number[] } {
  const [old, now] = [new Set(before), new Set(after)];
  return {
    added: [...now].filter((id) => !old.has(id)),
    removed: [...old].filter((id) => !now.has(id)),
  };
}

/**
 * The records with all revisions of their documents, because a new or deleted revision changes which one is the newest.
 * @returns by revision its document; for tables the record itself
 */
async function withOtherRevisions(
  db: Transaction,
  collection: Collection,
  ids: readonly number[],
): Promise<Map<number, number>> {
  if (collection.kind === 'table') return new Map(ids.map((id) => [id, id]));
  const table = sql.table(tableName(collection));
  const { rows } = await sql<{ id: number; document: number }>`
    select _id as id, _document_id as document from ${table} where _document_id in (
      select _document_id from ${table} where _id ${db.adapter.isAmong(ids)})`.execute(db.k);
  const all = new Map(rows.map(({ id, document }) => [id, document]));
  const deleted = ids.filter((id) => !all.has(id));
  if (deleted.length === 0) return all;
  // A deleted revision exists only in its history.
  const histories = await readStoredHistories(db, collection, deleted);
  for (const id of deleted) {
    const changes = (histories.get(id) ?? []).flatMap((entry) => entry.changes);
    const named = changes.find(({ name, after }) => name === 'document.documentId' && after);
    all.set(id, Number(named?.after ?? id));
  }
  const documents = [...new Set(deleted.map((id) => all.get(id) ?? id))];
  const others = await sql<{ id: number; document: number }>`
    select _id as id, _document_id as document from ${table}
    where _document_id ${db.adapter.isAmong(documents)}`.execute(db.k);
  for (const { id, document } of others.rows) all.set(id, document);
  return all;
}

/** Compares the records with those of equal keys, and updates all that are or were equal to them. */
async function updateDuplicates(
  db: Transaction,
  collection: Collection,
  { check, state }: CountedCheck,
  ids: readonly number[],
): Promise<{ readonly found: readonly number[]; readonly among: readonly number[] }> {
  const before = await readKeys(
    db,
    sql`check_id = ${state.id} and row_id ${db.adapter.isAmong(ids)}`,
  );
  const after = await duplicateKeys(db, collection, check, ids);
  const nameOf = ({ part, key, rowId }: DuplicateKey) => `${part} ${key} ${rowId}`;
  const [old, now] = [new Set(before.map(nameOf)), new Set(after.map(nameOf))];
  const removed = before.filter((key) => !now.has(nameOf(key)));
  const added = after.filter((key) => !old.has(nameOf(key)));
  for (const { part, key, rowId } of removed) {
    await sql`delete from check_keys where check_id = ${state.id} and part = ${part}
      and key = ${key} and row_id = ${rowId}`.execute(db.k);
  }
  await insertKeys(db, state.id, added);
  // All records that are or were equal to one of these, with their other keys.
  const keys = [...new Set([...before, ...after].map(({ key }) => key))];
  const equal = await readKeys(db, sql`check_id = ${state.id} and key ${db.adapter.isAmong(keys)}`);
  const among = [...new Set([...ids, ...equal.map(({ rowId }) => rowId)])];
  const all = await readKeys(
    db,
    sql`check_id = ${state.id} and key in (select key from check_keys as own
      where own.check_id = ${state.id} and own.row_id ${db.adapter.isAmong(among)})`,
  );
  const found = duplicatesAmong(all, await exceptedPairs(db, collection, check.name));
  return { found: among.filter((id) => found.has(id)), among };
}

async function readKeys(db: Transaction, test: ReturnType<typeof sql>): Promise<DuplicateKey[]> {
  const { rows } = await sql<DuplicateKey>`
    select part, key, row_id as "rowId" from check_keys where ${test}`.execute(db.k);
  return rows;
}

export async function insertKeys(
  db: Transaction,
  checkId: number,
  keys: readonly DuplicateKey[],
): Promise<void> {
  const rows = keys.map(({ part, key, rowId }) => [checkId, part, key, rowId]);
  await insertRows(db, 'check_keys', ['check_id', 'part', 'key', 'row_id'], rows);
}
