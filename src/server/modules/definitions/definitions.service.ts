import type { Transaction } from '#server/database/database.ts';
import { addFields, createRecordTable } from '#server/database/records/record-tables.ts';
import type { ArchiveDefinition, TableDefinition } from '#shared/rules/definitions.ts';
import { DEFAULT_LIMITS, type CollectionLimits } from '#shared/rules/limits.ts';
import { findByName, nameKey } from '#shared/rules/names.ts';
import * as store from './definitions.store.ts';
import type { Archive, Table, Collection } from '#server/database/records/collection.ts';
import { recordSystemHistory, type Actor, type AuditState } from '../history/history.service.ts';

/** The defined archives and tables; cached. */
export interface Definitions {
  /** in definition order */
  archives(db: Transaction): Promise<readonly Archive[]>;
  tables(db: Transaction): Promise<readonly Table[]>;
  /** by GUID or table name, both without regard to case */
  findArchive(db: Transaction, key: string): Promise<Archive | undefined>;
  /** by GUID, without regard to case */
  findTable(db: Transaction, guid: string): Promise<Table | undefined>;
}

interface Snapshot {
  readonly version: string;
  readonly archives: readonly Archive[];
  readonly tables: readonly Table[];
  readonly archivesByKey: ReadonlyMap<string, Archive>;
  readonly tablesByGuid: ReadonlyMap<string, Table>;
}

/** Milliseconds for which definitions are used without checking for changes by other processes. */
const FRESH_FOR = 500;

/**
 * The definitions of the database, read when they are first needed.
 * @param limits of requests to each archive and table
 * @param freshFor milliseconds for which they are used without checking for changes
 */
export function openDefinitions(
  limits: CollectionLimits = DEFAULT_LIMITS,
  freshFor = FRESH_FOR,
): Definitions {
  let snapshot: Snapshot | undefined;
  let checkedAt = 0;

  const current = async (db: Transaction): Promise<Snapshot> => {
    if (snapshot && performance.now() - checkedAt < freshFor) return snapshot;
    const started = performance.now();
    const version = await store.readDefinitionVersion(db);
    if (snapshot?.version !== version) {
      const archives = (await store.readArchives(db)).map((archive) => ({ ...archive, limits }));
      const tables = (await store.readTables(db)).map((table) => ({ ...table, limits }));
      snapshot = {
        version,
        archives,
        tables,
        archivesByKey: new Map(
          archives.flatMap((archive) => [
            [nameKey(archive.name), archive],
            [nameKey(archive.guid), archive],
          ]),
        ),
        tablesByGuid: new Map(tables.map((table) => [nameKey(table.guid), table])),
      };
    }
    checkedAt = started;
    return snapshot;
  };

  return {
    archives: async (db) => (await current(db)).archives,
    tables: async (db) => (await current(db)).tables,
    findArchive: async (db, key) => (await current(db)).archivesByKey.get(nameKey(key)),
    findTable: async (db, guid) => (await current(db)).tablesByGuid.get(nameKey(guid)),
  };
}

/**
 * Defines a new archive: its definition and its empty database tables, without indexes on the fields
 * (`createIndexes`, after its rows).
 * @param actor the author, for the history
 */
export async function defineArchive(
  db: Transaction,
  definition: ArchiveDefinition,
  actor: Actor,
): Promise<Archive> {
  const archive = await store.insertArchive(db, definition);
  await createRecordTable(db, archive);
  await changed(db, archive, null, actor);
  return archive;
}

/** Defines a new data table, as `defineArchive`. */
export async function defineTable(
  db: Transaction,
  definition: TableDefinition,
  actor: Actor,
): Promise<Table> {
  const table = await store.insertTable(db, definition);
  await createRecordTable(db, table);
  await changed(db, table, null, actor);
  return table;
}

/** Adds missing index fields and keyword fields to an archive. */
export async function extendArchive(
  db: Transaction,
  archive: Archive,
  wanted: ArchiveDefinition,
  actor: Actor,
): Promise<Archive> {
  const old = archive.definition;
  const indexFields = [...old.indexFields, ...missing(old.indexFields, wanted.indexFields)];
  const keywordFields = [...old.keywordFields, ...missing(old.keywordFields, wanted.keywordFields)];
  if (
    indexFields.length === old.indexFields.length &&
    keywordFields.length === old.keywordFields.length
  ) {
    return archive;
  }
  const before = await store.readStored(db, archive);
  const extended = await store.updateArchive(db, archive, { ...old, indexFields, keywordFields });
  await addFields(db, extended, extended.fields.slice(archive.fields.length));
  await changed(db, extended, before, actor);
  return extended;
}

/** Adds missing columns to a table. */
export async function extendTable(
  db: Transaction,
  table: Table,
  wanted: TableDefinition,
  actor: Actor,
): Promise<Table> {
  const old = table.definition;
  const columns = [...old.columns, ...missing(old.columns, wanted.columns)];
  if (columns.length === old.columns.length) return table;
  const before = await store.readStored(db, table);
  const extended = await store.updateTable(db, table, { ...old, columns });
  await addFields(db, extended, extended.fields.slice(table.fields.length));
  await changed(db, extended, before, actor);
  return extended;
}

/** `thing_id` in history entries of definitions. */
export const DEFINITIONS_OF = { archive: 1, table: 2 } as const;

/** Adds a change of a definition to the history, and invalidates the caches of all processes. */
async function changed(
  db: Transaction,
  collection: Collection,
  before: AuditState | null,
  actor: Actor,
): Promise<void> {
  await recordSystemHistory(db, actor, Date.now(), {
    scope: 'definition',
    kind: before ? 'change' : 'create',
    collectionId: DEFINITIONS_OF[collection.kind],
    rowId: collection.id,
    before,
    after: await store.readStored(db, collection),
  });
  await store.raiseDefinitionVersion(db);
}

/** The current state of each archive or table as the history stores it, retired ones included; by id. */
export async function readDefinitionAuditStates(
  db: Transaction,
  kind: Collection['kind'],
): Promise<Map<number, AuditState>> {
  const rows = await store.readAllStored(db, kind);
  return new Map(rows.map(({ id, ...stored }) => [id, stored]));
}

/** All definitions, from the database: for the loader, whose own definitions are not committed yet. */
export async function readDefinitions(
  db: Transaction,
): Promise<{ archives: Archive[]; tables: Table[] }> {
  return { archives: await store.readArchives(db), tables: await store.readTables(db) };
}

/** All definitions with database tables, retired ones included, from the database. */
export function readAllCollections(db: Transaction): Promise<(Archive | Table)[]> {
  return store.readEvery(db);
}

function missing<Field extends { readonly name: string }>(
  has: readonly Field[],
  wanted: readonly Field[],
): Field[] {
  return wanted.filter(({ name }) => !findByName(has, name));
}
