import { sql } from 'kysely';
import type { CachedStatement, Transaction } from '#server/database/database.ts';
import { textAt } from '#server/database/row-values.ts';
import { writeSetting } from '#server/database/installation.ts';
import type { Archive, Collection, Table } from '#server/database/records/collection.ts';
import { nameKey } from '#shared/rules/names.ts';
import { readState, toCollection, toStored, type DefinitionState } from './stored-definition.ts';

type Kind = Collection['kind'];

/** A definition as it is stored. */
export interface StoredDefinition {
  readonly id: number;
  readonly state: DefinitionState;
  readonly position: number;
  /** milliseconds since 1970 UTC; null: it is in use */
  readonly retiredAt: number | null;
}

const tableOf = (kind: Kind) => (kind === 'archive' ? 'archives' : 'data_tables');

const COLUMNS = ['id', 'definition', 'position', 'retired_at'] as const;

interface Row {
  readonly id: number;
  readonly definition: string;
  readonly position: number;
  readonly retired_at: number | null;
}

function toDefinition(kind: Kind, row: Row): StoredDefinition {
  const { id, position, retired_at: retiredAt } = row;
  return { id, position, retiredAt, state: readState(kind, row.definition) };
}

export async function readArchives(db: Transaction): Promise<Archive[]> {
  return (await readInUse(db, 'archive')).filter((collection) => collection.kind === 'archive');
}

export async function readTables(db: Transaction): Promise<Table[]> {
  return (await readInUse(db, 'table')).filter((collection) => collection.kind === 'table');
}

async function readInUse(db: Transaction, kind: Kind): Promise<(Archive | Table)[]> {
  const all = await readDefinitionsOf(db, kind);
  return all.flatMap(({ id, state, retiredAt }) =>
    retiredAt === null ? [toCollection(id, state, null)] : [],
  );
}

/** The definitions of all archives or tables in their order, retired ones included. */
export async function readDefinitionsOf(db: Transaction, kind: Kind): Promise<StoredDefinition[]> {
  const rows = await db.k
    .selectFrom(tableOf(kind))
    .select(COLUMNS)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map((row) => toDefinition(kind, row));
}

/** The definition of an archive by GUID or table name, or of a table by GUID; retired ones included. */
export async function findDefinition(
  db: Transaction,
  kind: Kind,
  key: string,
): Promise<StoredDefinition | undefined> {
  const row = await db.k
    .selectFrom(tableOf(kind))
    .select(COLUMNS)
    .where((where) =>
      kind === 'archive'
        ? where.or([where('guid', '=', nameKey(key)), where('name_key', '=', nameKey(key))])
        : where('guid', '=', nameKey(key)),
    )
    .executeTakeFirst();
  return row && toDefinition(kind, row);
}

/** Whether an archive or table, also a retired one, has the name or the GUID. */
export async function isTaken(
  db: Transaction,
  kind: Kind,
  column: 'guid' | 'name_key',
  text: string,
  except: number | null = null,
): Promise<boolean> {
  const rows = await db.k
    .selectFrom(tableOf(kind))
    .select('id')
    .where(column, '=', nameKey(text))
    .execute();
  return rows.some(({ id }) => id !== except);
}

export async function readStored(
  db: Transaction,
  kind: Kind,
  id: number,
): Promise<StoredDefinition> {
  return toDefinition(kind, await readRow(db, kind, id));
}

/** The same, undefined if the archive or table was permanently deleted. */
export async function readStoredIfKept(
  db: Transaction,
  kind: Kind,
  id: number,
): Promise<StoredDefinition | undefined> {
  const row = await queryOf(db, kind, id).executeTakeFirst();
  return row && toDefinition(kind, row);
}

/**
 * The same for a transaction whose snapshot may be older than a change of the definition: PostgreSQL then retries the
 * transaction.
 */
export async function readStoredForLoad(
  db: Transaction,
  kind: Kind,
  id: number,
): Promise<StoredDefinition> {
  await db.adapter.lockDefinitionShared(db, { kind, id });
  await sql`select id from ${sql.table(tableOf(kind))} where id = ${id} ${db.adapter.lockRows}`.execute(
    db.k,
  );
  return readStored(db, kind, id);
}

function readRow(db: Transaction, kind: Kind, id: number): Promise<Row> {
  return queryOf(db, kind, id).executeTakeFirstOrThrow();
}

function queryOf(db: Transaction, kind: Kind, id: number) {
  return db.k.selectFrom(tableOf(kind)).select(COLUMNS).where('id', '=', id);
}

/** The stored definition of an archive or table, for the history. */
type AuditedDefinition = ReturnType<typeof toAudited>;

export async function readAudited(
  db: Transaction,
  kind: Kind,
  id: number,
): Promise<AuditedDefinition> {
  return toAudited(await readRow(db, kind, id));
}

/** The same for all archives or tables, retired ones included. */
export async function readAllAudited(
  db: Transaction,
  kind: Kind,
): Promise<(AuditedDefinition & { readonly id: number })[]> {
  const rows = await db.k.selectFrom(tableOf(kind)).select(COLUMNS).orderBy('id').execute();
  return rows.map((row) => ({ id: row.id, ...toAudited(row) }));
}

function toAudited(row: Row) {
  const definition: unknown = JSON.parse(row.definition);
  return { definition, position: row.position, retiredAt: row.retired_at };
}

/** All definitions with database tables, retired ones included, with their retired fields among the others. */
export async function readAllWithRetired(db: Transaction): Promise<(Archive | Table)[]> {
  const all = [];
  for (const kind of ['archive', 'table'] as const) {
    const rows = await db.k.selectFrom(tableOf(kind)).select(COLUMNS).execute();
    all.push(...rows.map((row) => toDefinition(kind, row)));
  }
  return all.map(({ id, state, retiredAt }) => toCollection(id, state, retiredAt, 'all'));
}

/** Stores a new definition. @returns its id */
export async function insertDefinition(db: Transaction, state: DefinitionState): Promise<number> {
  const values = {
    guid: nameKey(state.guid),
    name_key: nameKey(state.name),
    definition: JSON.stringify(toStored(state)),
  };
  const table = tableOf(state.kind);
  const last = await db.k
    .selectFrom(table)
    .select((eb) => eb.fn.max('position').as('last'))
    .executeTakeFirst();
  const position = (last?.last ?? 0) + 1;
  const { id } =
    state.kind === 'archive'
      ? await db.k
          .insertInto('archives')
          .values({ ...values, position, table_name: state.name })
          .returning('id')
          .executeTakeFirstOrThrow()
      : await db.k
          .insertInto('data_tables')
          .values({ ...values, position, name: state.name })
          .returning('id')
          .executeTakeFirstOrThrow();
  return id;
}

/** Stores a changed definition. */
export async function updateDefinition(
  db: Transaction,
  id: number,
  state: DefinitionState,
  retiredAt: number | null,
): Promise<void> {
  const values = {
    name_key: nameKey(state.name),
    definition: JSON.stringify(toStored(state)),
    retired_at: retiredAt,
  };
  if (state.kind === 'archive') {
    const set = { ...values, table_name: state.name };
    await db.k.updateTable('archives').set(set).where('id', '=', id).execute();
  } else {
    const set = { ...values, name: state.name };
    await db.k.updateTable('data_tables').set(set).where('id', '=', id).execute();
  }
}

export async function deleteDefinition(db: Transaction, kind: Kind, id: number): Promise<void> {
  await db.k.deleteFrom(tableOf(kind)).where('id', '=', id).execute();
}

/** A number that increases with every change of a definition, so that processes can detect outdated caches. */
export async function readDefinitionVersion(db: Transaction): Promise<string> {
  const [row] = await db.run(READ_VERSION, [DEFINITION_VERSION]);
  return row ? textAt(row, 0) : '0';
}

/** Cached, because each write runs it. */
const READ_VERSION: CachedStatement = {
  owner: readDefinitionVersion,
  name: 'version',
  build: () => sql`select value from installation where key = ${''}`,
};

export async function raiseDefinitionVersion(db: Transaction): Promise<void> {
  await writeSetting(db, DEFINITION_VERSION, String(Number(await readDefinitionVersion(db)) + 1));
}

const DEFINITION_VERSION = 'definition_version';
