import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import type { Check } from '#server/database/records/check.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { tableName } from '#server/database/records/columns.ts';
import { readStoredHistories } from '../history/history.service.ts';
import {
  comparePackedRows,
  readFindings,
  readRows,
  packRows,
  type RowChanges,
  type PackedRows,
} from './counted-rows.ts';
import {
  findAllDuplicates,
  compareChangedRecords,
  readStoredDuplicates,
} from './duplicate-findings.ts';
import { findFailingAmong, findFailingRecords } from './find-failing-records.ts';

/** The differences to store for one check. */
export interface CheckChanges {
  readonly checkId: number;
  readonly name: string;
  /** beginning with the findings */
  readonly rows: readonly [findings: RowChanges, ...keys: RowChanges[]];
  /** the removed findings that were corrected, each with the id of the user who corrected it; 0: unknown */
  readonly corrected: ReadonlyMap<number, number>;
}

/** A check whose findings are stored, by its name. */
export type CheckRef = Pick<CheckChanges, 'checkId' | 'name'>;

/** Records that may have changed, also those that were deleted. */
interface RecordsToCompare {
  /** of each its document (`withOtherRevisions`) */
  readonly documents: ReadonlyMap<number, number>;
  /** the user who has written each, if known; null: they were not written, something else has changed */
  readonly authors: ReadonlyMap<number, number> | null;
}

/** Looks again at records that were created, changed or deleted. */
export async function findChanges(
  db: Transaction,
  collection: Collection,
  counted: readonly CheckRef[],
  { documents, authors }: RecordsToCompare,
): Promise<CheckChanges[]> {
  const ids = [...documents.keys()];
  const checks = counted.map((ref) => ({ ...ref, check: checkOf(collection, ref) }));
  const rules = checks.filter(({ check }) => !check.duplicates);
  const found = await findFailingAmong(
    db,
    collection,
    rules.map(({ check }) => check),
    ids,
  );
  const stored = await readFindings(
    db,
    rules.map(({ checkId }) => checkId),
    ids,
  );
  const changes: CheckChanges[] = [];
  for (const { check, checkId, name } of checks) {
    let [before, after] = [stored.get(checkId) ?? [], found.get(name) ?? []];
    let keyChanges: readonly RowChanges[] = [];
    if (check.duplicates) {
      const around = await compareChangedRecords(db, collection, { check, checkId }, ids);
      before = (await readFindings(db, [checkId], around.among)).get(checkId) ?? [];
      after = [...around.found];
      ({ keyChanges } = around);
    }
    const findings = await comparePackedRows(
      'check_findings',
      packRows(before),
      packRows(after).sort(),
    );
    const corrected = authors
      ? await findCorrected(db, collection, name, findings, { documents, authors })
      : new Map<number, number>();
    changes.push({ checkId, name, rows: [findings, ...keyChanges], corrected });
  }
  return changes;
}

function checkOf({ checks }: Collection, { name }: CheckRef): Check {
  const check = checks.find((candidate) => candidate.name === name);
  if (!check) throw new Error(`There is no check ${name}`);
  return check;
}

/**
 * Looks at all records for one check; of duplicates, where the database computes keys, at those that are stored.
 * @returns the changes, and how many records are found
 */
export async function recountFindings(
  db: Transaction,
  collection: Collection,
  ref: CheckRef,
): Promise<{ readonly changes: CheckChanges; readonly count: number }> {
  const { checkId, name } = ref;
  const check = checkOf(collection, ref);
  const compare = async (table: RowChanges['table'], rows: PackedRows) =>
    comparePackedRows(table, await readRows(db, table, checkId), rows);
  let wanted: PackedRows;
  const keyChanges: RowChanges[] = [];
  const { duplicateKeys } = db.adapter;
  if (check.duplicates && duplicateKeys) {
    wanted = await readStoredDuplicates(db, duplicateKeys, collection, { check, checkId });
  } else if (check.duplicates) {
    const { findings, keys, recordKeys } = await findAllDuplicates(db, collection, check);
    wanted = findings;
    keyChanges.push(await compare('check_keys', keys));
    keyChanges.push(await compare('check_record_keys', recordKeys));
  } else wanted = packRows(await findFailingRecords(db, collection, check));
  const findings = await compare('check_findings', wanted);
  // Findings that end as time passes were not corrected by anyone.
  const corrected =
    check.isTimed || findings.removed.length === 0
      ? new Map<number, number>()
      : await findCorrected(db, collection, name, findings, {
          documents: await documentsOf(db, collection, [...findings.added, ...findings.removed]),
          authors: new Map(),
        });
  return {
    changes: { checkId, name, rows: [findings, ...keyChanges], corrected },
    count: wanted.length,
  };
}

/**
 * The findings that were corrected: those that were removed, but neither by an exception, nor because another revision of the
 * document has the finding now.
 * @returns with the user
 */
async function findCorrected(
  db: Transaction,
  collection: Collection,
  name: string,
  { added, removed }: RowChanges,
  { documents, authors }: RecordsToCompare & { readonly authors: ReadonlyMap<number, number> },
): Promise<Map<number, number>> {
  const corrected = new Map<number, number>();
  if (removed.length === 0) return corrected;
  const { rows } = await sql<{ id: number }>`select row_id as id from check_exceptions
    where scope = ${collection.kind} and thing_id = ${collection.id} and name = ${name}
      and row_id ${db.adapter.isAmong([...removed])}`.execute(db.k);
  const excepted = new Set(rows.map(({ id }) => id));
  const documentOf = (id: number) => documents.get(id) ?? id;
  const byDocument = new Map([...authors].map(([id, author]) => [documentOf(id), author]));
  const still = new Set([...added].map(documentOf));
  const users = new Set(authors.values());
  // Of two duplicates one is corrected, and both are no findings any more.
  const [single] = users.size === 1 ? users : [];
  for (const id of removed) {
    const document = documentOf(id);
    if (excepted.has(id) || still.has(document)) continue;
    corrected.set(id, byDocument.get(document) ?? single ?? 0);
  }
  return corrected;
}

/** The documents of records that are there; of tables the records themselves. */
async function documentsOf(
  db: Transaction,
  collection: Collection,
  ids: readonly number[],
): Promise<Map<number, number>> {
  if (collection.kind === 'table') return new Map();
  const { rows } = await sql<{ id: number; document: number }>`
    select _id as id, _document_id as document from ${sql.table(tableName(collection))}
    where _id ${db.adapter.isAmong(ids)}`.execute(db.k);
  return new Map(rows.map(({ id, document }) => [id, document]));
}

/**
 * The records with all revisions of their documents: a new or deleted revision makes another one the newest.
 * @returns of each its document; of tables the record itself
 */
export async function withOtherRevisions(
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
  // A deleted revision is known by its history alone.
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
