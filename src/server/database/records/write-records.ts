import { sql } from 'kysely';
import { fold, searchText } from '#shared/fold.ts';
import type { Scalar } from '#shared/values.ts';
import type { Thing } from './collection.ts';
import { breathe, type Db } from '../database.ts';
import { integerAt, runKept } from '../prepared-statements.ts';
import { deleteRows, insertRows, updateRows } from './bulk.ts';
import { columnsOf, keywordTable, storedValues, tableName, type Stored } from './columns.ts';
import { leaveToIndex } from './search-index.ts';
import type { Lock, NewRecord, StoredRecord } from './record.ts';

/** Who makes a change, and when (milliseconds since 1970 UTC). */
export interface Stamp {
  readonly at: number;
  readonly by: string;
}

/** New records as rows, made before the transaction that stores them. */
export interface InsertPlan {
  readonly records: readonly NewRecord[];
  readonly columns: readonly string[];
  /** what is known only when they are stored is filled in then: ids, times and who stores them */
  readonly rows: Stored[][];
}

/** Makes the rows of new records. */
export async function planInsert(
  { dialect }: Pick<Db, 'dialect'>,
  thing: Thing,
  records: readonly NewRecord[],
): Promise<InsertPlan> {
  const columns = [
    ...INSERTED,
    ...(thing.kind === 'archive' ? ['_document_id', '_revision'] : []),
    ...thing.fields.flatMap(columnsOf).map(([name]) => name),
  ];
  const rows: Stored[][] = [];
  for (const [i, { version, values, keywords, document }] of records.entries()) {
    const text = searchTextOf(thing, values, keywords);
    rows.push([
      null,
      version,
      null,
      null,
      null,
      null,
      text,
      ...(document ? [document.documentId, document.revision] : []),
      ...thing.fields.flatMap((field, at) => storedValues(dialect, field, values[at] ?? null)),
    ]);
    if (i % 50 === 49) await breathe();
  }
  return { records, columns, rows };
}

const INSERTED = [
  '_id',
  '_version',
  '_created_at',
  '_changed_at',
  '_changed_by',
  '_changed_by_fold',
  '_search',
];

/**
 * Stores new records with their search texts and keywords.
 * @param search `later`: `createIndexes` makes them findable by search, at a fraction of the cost
 * @returns the ids, in the order of the records
 */
export async function insertPlanned(
  db: Db,
  thing: Thing,
  { records, columns, rows }: InsertPlan,
  { at, by }: Stamp,
  search: 'now' | 'later' = 'now',
): Promise<number[]> {
  const ids = await takeIds(db, thing, records);
  const byFold = fold(by);
  for (const [i, row] of rows.entries()) {
    const id = ids[i] ?? 0;
    row.splice(0, INSERTED.length - 1, id, row[1] ?? null, at, at, by, byFold);
    const document = records[i]?.document;
    if (document) row[INSERTED.length] = document.documentId ?? id;
  }
  await insertRows(db, tableName(thing), columns, rows);
  if (search === 'now') await leaveToIndex(db, thing, ids);
  await insertKeywords(
    db,
    thing,
    records.map((record, i) => ({ id: ids[i] ?? 0, keywords: record.keywords })),
  );
  return ids;
}

/** Stores new records, as `insertPlanned`. */
export async function insertRecords(
  db: Db,
  thing: Thing,
  records: readonly NewRecord[],
  stamp: Stamp,
  search: 'now' | 'later' = 'now',
): Promise<number[]> {
  return insertPlanned(db, thing, await planInsert(db, thing, records), stamp, search);
}

/** The states of a record before and after its change. */
export interface RecordChange {
  readonly before: StoredRecord;
  readonly after: StoredRecord;
}

/** New states of existing records as rows, made before the transaction that stores them. */
export interface UpdatePlan {
  readonly columns: readonly string[];
  readonly rows: Stored[][];
  readonly ids: readonly number[];
  /** whether what the search looks at has changed */
  readonly searchChanged: boolean;
  readonly keywordsChanged: readonly StoredRecord[];
}

/** Makes the rows of changed records; each gets its version, values and keywords as given. */
export async function planUpdate(
  { dialect }: Pick<Db, 'dialect'>,
  thing: Thing,
  changes: readonly RecordChange[],
): Promise<UpdatePlan> {
  const changedPlaces = thing.fields
    .map((_, place) => place)
    .filter((place) =>
      changes.some(({ before, after }) => before.values[place] !== after.values[place]),
    );
  const keywordsChanged = changes.filter(({ before, after }) => before.keywords !== after.keywords);
  const textChanged = changedPlaces.some((place) => thing.fields[place]?.type === 'text');
  const searchChanged = textChanged || keywordsChanged.length > 0;
  const fields = changedPlaces.flatMap((place) => {
    const field = thing.fields[place];
    return field ? [{ field, place }] : [];
  });
  // An index is written anew for each column that is set, also to the value that it has.
  const userChanged = changes.some(({ before, after }) => before.changedBy !== after.changedBy);
  const columns = [
    '_id',
    '_version',
    '_changed_at',
    ...(userChanged ? ['_changed_by', '_changed_by_fold'] : []),
    ...(searchChanged ? ['_search'] : []),
    ...fields.flatMap(({ field }) => columnsOf(field)).map(([name]) => name),
  ];
  const rows: Stored[][] = [];
  for (const [i, { after }] of changes.entries()) {
    rows.push([
      after.id,
      after.version,
      after.changedAt,
      ...(userChanged ? [after.changedBy, fold(after.changedBy)] : []),
      ...(searchChanged ? [searchTextOf(thing, after.values, after.keywords)] : []),
      ...fields.flatMap(({ field, place }) =>
        storedValues(dialect, field, after.values[place] ?? null),
      ),
    ]);
    if (i % 50 === 49) await breathe();
  }
  return {
    columns,
    // Neighbours are written together, which takes fewer pages of the cache.
    rows: rows.toSorted(([a], [b]) => Number(a) - Number(b)),
    ids: changes.map(({ after }) => after.id),
    searchChanged,
    keywordsChanged: keywordsChanged.map(({ after }) => after),
  };
}

/** Stores the new state of existing records. @param at milliseconds since 1970 UTC; as planned where not given */
export async function updatePlanned(
  db: Db,
  thing: Thing,
  { columns, rows, ids, searchChanged, keywordsChanged }: UpdatePlan,
  at?: number,
): Promise<void> {
  if (at !== undefined) for (const row of rows) row[columns.indexOf('_changed_at')] = at;
  await updateRows(db, tableName(thing), columns, rows);
  if (searchChanged) await leaveToIndex(db, thing, ids);
  if (keywordsChanged.length > 0) {
    await deleteRows(
      db,
      keywordTable(thing),
      '_id',
      keywordsChanged.map(({ id }) => id),
    );
    await insertKeywords(db, thing, keywordsChanged);
  }
}

/** Stores the new state of existing records, as `planUpdate` and `updatePlanned`. */
export async function updateRecords(
  db: Db,
  thing: Thing,
  changes: readonly RecordChange[],
): Promise<void> {
  await updatePlanned(db, thing, await planUpdate(db, thing, changes));
}

/** Sets or takes away a revision's lock, with its new version. */
export async function updateLock(
  db: Db,
  thing: Thing,
  id: number,
  version: number,
  lock: Lock | null,
): Promise<void> {
  await sql`update ${sql.table(tableName(thing))} set _version = ${version}, _locked_at = ${lock?.at ?? null},
    _locked_by = ${lock?.by ?? null}, _locked_session = ${lock?.sessionId ?? null} where _id = ${id}`.execute(
    db.k,
  );
}

/** Deletes records with their search texts and keywords; their history stays. */
export async function deleteRecords(db: Db, thing: Thing, ids: readonly number[]): Promise<void> {
  if (thing.kind === 'archive') await deleteRows(db, keywordTable(thing), '_id', ids);
  await leaveToIndex(db, thing, ids);
  await deleteRows(db, tableName(thing), '_id', ids);
}

async function takeIds(db: Db, thing: Thing, records: readonly NewRecord[]): Promise<number[]> {
  const wanted = records.filter((record) => record.id === null).length;
  const next = wanted > 0 ? await nextIds(db, thing, wanted) : [];
  let taken = 0;
  return records.map((record) => record.id ?? next[taken++] ?? 0);
}

async function nextIds(db: Db, thing: Thing, count: number): Promise<number[]> {
  if (db.dialect === 'postgres') {
    const parameters = [`${tableName(thing)}__id_seq`, count];
    const rows = await runKept(db, nextIds, '', nextIdsQuery, parameters);
    return rows.map((row) => integerAt(row, 0));
  }
  const [row] = await runKept(db, nextIds, '', lastIdQuery, [tableName(thing)]);
  const last = row ? integerAt(row, 0) : 0;
  return Array.from({ length: count }, (_, i) => last + 1 + i);
}

const nextIdsQuery = () => sql`
  select nextval(${''}::text::regclass) as id from generate_series(1, ${0}::int)`;

const lastIdQuery = () => sql`select seq from sqlite_sequence where name = ${''}`;

async function insertKeywords(
  db: Db,
  thing: Thing,
  records: readonly { readonly id: number; readonly keywords: readonly (readonly string[])[] }[],
): Promise<void> {
  if (thing.keywordFields.length === 0) return;
  const rows: Stored[][] = [];
  for (const { id, keywords } of records) {
    for (const [place, field] of thing.keywordFields.entries()) {
      keywords[place]?.forEach((value, position) =>
        rows.push([id, field.number, position, value, fold(value)]),
      );
    }
  }
  await insertRows(
    db,
    keywordTable(thing),
    ['_id', 'field', 'position', 'value', 'value_fold'],
    rows,
  );
}

function searchTextOf(
  thing: Thing,
  values: readonly Scalar[],
  keywords: readonly (readonly string[])[],
): string {
  const texts: string[] = [];
  for (const [place, field] of thing.fields.entries()) {
    const value = values[place];
    if (field.type === 'text' && typeof value === 'string' && value !== '') texts.push(value);
  }
  for (const list of keywords) texts.push(...list);
  return searchText(texts);
}
