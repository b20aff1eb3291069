import { NO_LIMITS } from '#shared/rules/limits.ts';
import { listColumns } from '#shared/rules/lists.ts';
import type { Transaction } from '#server/database/database.ts';
import type { ArchiveDefinition, TableDefinition } from '#shared/rules/definitions.ts';
import { nameKey } from '#shared/rules/names.ts';
import type { Archive, Table, Collection } from '#server/database/records/collection.ts';
import { readSetting, writeSetting } from '#server/database/installation.ts';

/**
 * The stored form of a definition: with the numbers of its fields and the next number, so that no database column is used
 * for two fields.
 */
interface Stored<Definition> {
  readonly definition: Definition;
  readonly fieldNumbers: readonly number[];
  readonly keywordNumbers: readonly number[];
  readonly nextNumber: number;
}

export async function readArchives(db: Transaction): Promise<Archive[]> {
  const rows = await db.k
    .selectFrom('archives')
    .select(['id', 'definition'])
    .where('retired_at', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map((row) => toArchive(row.id, parseStored<ArchiveDefinition>(row.definition)));
}

export async function readTables(db: Transaction): Promise<Table[]> {
  const rows = await db.k
    .selectFrom('data_tables')
    .select(['id', 'definition'])
    .where('retired_at', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map((row) => toTable(row.id, parseStored<TableDefinition>(row.definition)));
}

/** The stored definition of an archive or table, for the history. */
export type StoredDefinition = ReturnType<typeof toStoredDefinition>;

const STORED_COLUMNS = ['id', 'definition', 'position', 'retired_at'] as const;

export async function readStored(
  db: Transaction,
  { kind, id }: Pick<Collection, 'kind' | 'id'>,
): Promise<StoredDefinition> {
  const row = await db.k
    .selectFrom(kind === 'archive' ? 'archives' : 'data_tables')
    .select(STORED_COLUMNS)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return toStoredDefinition(row);
}

/** The same for all archives or tables, retired ones included. */
export async function readAllStored(
  db: Transaction,
  kind: Collection['kind'],
): Promise<(StoredDefinition & { readonly id: number })[]> {
  const rows = await db.k
    .selectFrom(kind === 'archive' ? 'archives' : 'data_tables')
    .select(STORED_COLUMNS)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ id: row.id, ...toStoredDefinition(row) }));
}

function toStoredDefinition(row: {
  readonly definition: string;
  readonly position: number;
  readonly retired_at: number | null;
}) {
  const definition: unknown = JSON.parse(row.definition);
  return { definition, position: row.position, retiredAt: row.retired_at };
}

/** All definitions with database tables, retired ones included. */
export async function readEvery(db: Transaction): Promise<(Archive | Table)[]> {
  const archives = await db.k.selectFrom('archives').select(['id', 'definition']).execute();
  const tables = await db.k.selectFrom('data_tables').select(['id', 'definition']).execute();
  return [
    ...archives.map((row) => toArchive(row.id, parseStored<ArchiveDefinition>(row.definition))),
    ...tables.map((row) => toTable(row.id, parseStored<TableDefinition>(row.definition))),
  ];
}

export async function insertArchive(
  db: Transaction,
  definition: ArchiveDefinition,
): Promise<Archive> {
  const stored = numbered(
    definition,
    definition.indexFields.length,
    definition.keywordFields.length,
  );
  const position = await nextPosition(db, 'archives');
  const { id } = await db.k
    .insertInto('archives')
    .values({
      guid: nameKey(definition.guid),
      table_name: definition.table,
      name_key: nameKey(definition.table),
      position,
      definition: JSON.stringify(stored),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return toArchive(id, stored);
}

export async function insertTable(db: Transaction, definition: TableDefinition): Promise<Table> {
  const stored = numbered(definition, definition.columns.length, 0);
  const position = await nextPosition(db, 'data_tables');
  const { id } = await db.k
    .insertInto('data_tables')
    .values({
      guid: nameKey(definition.guid),
      name: definition.name,
      name_key: nameKey(definition.name),
      position,
      definition: JSON.stringify(stored),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return toTable(id, stored);
}

/** Stores an archive's definition, which begins with its existing fields in their order; new fields get numbers. */
export async function updateArchive(
  db: Transaction,
  archive: Archive,
  definition: ArchiveDefinition,
): Promise<Archive> {
  const row = await db.k
    .selectFrom('archives')
    .select('definition')
    .where('id', '=', archive.id)
    .executeTakeFirstOrThrow();
  const stored = extended(
    parseStored<ArchiveDefinition>(row.definition),
    definition,
    definition.indexFields.length,
    definition.keywordFields.length,
  );
  await db.k
    .updateTable('archives')
    .set({ definition: JSON.stringify(stored) })
    .where('id', '=', archive.id)
    .execute();
  return toArchive(archive.id, stored);
}

/** The same for a data table. */
export async function updateTable(
  db: Transaction,
  table: Table,
  definition: TableDefinition,
): Promise<Table> {
  const row = await db.k
    .selectFrom('data_tables')
    .select('definition')
    .where('id', '=', table.id)
    .executeTakeFirstOrThrow();
  const stored = extended(
    parseStored<TableDefinition>(row.definition),
    definition,
    definition.columns.length,
    0,
  );
  await db.k
    .updateTable('data_tables')
    .set({ definition: JSON.stringify(stored) })
    .where('id', '=', table.id)
    .execute();
  return toTable(table.id, stored);
}

/** A number that increases with every change of a definition, so that processes can detect outdated caches. */
export async function readDefinitionVersion(db: Transaction): Promise<string> {
  return (await readSetting(db, DEFINITION_VERSION)) ?? '0';
}

export async function raiseDefinitionVersion(db: Transaction): Promise<void> {
  await writeSetting(db, DEFINITION_VERSION, String(Number(await readDefinitionVersion(db)) + 1));
}

const DEFINITION_VERSION = 'definition_version';

async function nextPosition(db: Transaction, table: 'archives' | 'data_tables'): Promise<number> {
  const row = await db.k
    .selectFrom(table)
    .select((eb) => eb.fn.max('position').as('last'))
    .executeTakeFirst();
  return (row?.last ?? 0) + 1;
}

function numbered<Definition>(
  definition: Definition,
  fields: number,
  keywords: number,
): Stored<Definition> {
  return extended(
    { definition, fieldNumbers: [], keywordNumbers: [], nextNumber: 1 },
    definition,
    fields,
    keywords,
  );
}

function extended<Definition>(
  stored: Stored<Definition>,
  definition: Definition,
  fields: number,
  keywords: number,
): Stored<Definition> {
  let next = stored.nextNumber;
  const extend = (numbers: readonly number[], count: number) => [
    ...numbers,
    ...Array.from({ length: count - numbers.length }, () => next++),
  ];
  const fieldNumbers = extend(stored.fieldNumbers, fields);
  const keywordNumbers = extend(stored.keywordNumbers, keywords);
  return { definition, fieldNumbers, keywordNumbers, nextNumber: next };
}

/** Only `insert…` and `update…` above write what is read here. */
function parseStored<Definition>(json: string): Stored<Definition> {
  return JSON.parse(json);
}

function withNumbers<Field>(fields: readonly Field[], numbers: readonly number[]) {
  return fields.map((field, i) => ({ ...field, number: numbers[i] ?? 0 }));
}

function toArchive(
  id: number,
  { definition, fieldNumbers, keywordNumbers }: Stored<ArchiveDefinition>,
): Archive {
  return {
    kind: 'archive',
    id,
    guid: definition.guid,
    name: definition.table,
    definition,
    fields: withNumbers(definition.indexFields, fieldNumbers),
    keywordFields: withNumbers(definition.keywordFields, keywordNumbers),
    listColumns: listColumns('revisionId', definition.indexFields, definition.keywordFields),
    limits: NO_LIMITS,
  };
}

function toTable(id: number, { definition, fieldNumbers }: Stored<TableDefinition>): Table {
  return {
    kind: 'table',
    id,
    guid: definition.guid,
    name: definition.name,
    definition,
    fields: withNumbers(definition.columns, fieldNumbers),
    keywordFields: [],
    listColumns: listColumns('jrid', definition.columns, []),
    limits: NO_LIMITS,
  };
}
