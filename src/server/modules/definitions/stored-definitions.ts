import { sql } from 'kysely';
import * as texts from '#messages/service/definitions.ts';
import * as httpTexts from '#messages/service/http.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Archive, Collection, Table } from '#server/database/records/collection.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { isSameName, nameKey } from '#shared/rules/names.ts';
import type { DefinitionState } from './definition-state.ts';
import { toCollection } from './definition-collection.ts';
import { parseDefinitionState } from './definition-json.ts';

type Kind = Collection['kind'];

/** A definition as it is stored. */
export interface StoredDefinition {
  readonly id: number;
  readonly state: DefinitionState;
  readonly position: number;
  /** milliseconds since 1970 UTC; null: it is in use */
  readonly retiredAt: number | null;
}

export const tableOf = (kind: Kind) => (kind === 'archive' ? 'archives' : 'data_tables');

const COLUMNS = ['id', 'definition', 'position', 'retired_at'] as const;

/** A row of the table `archives` or `data_tables`. */
export interface DefinitionRow {
  readonly id: number;
  readonly definition: string;
  readonly position: number;
  readonly retired_at: number | null;
}

function toDefinition(kind: Kind, row: DefinitionRow): StoredDefinition {
  const { id, position, retired_at: retiredAt } = row;
  return { id, position, retiredAt, state: parseDefinitionState(kind, row.definition) };
}

/** The rows of all archives or tables, retired ones included. */
export function definitionRows(db: Transaction, kind: Kind) {
  return db.k.selectFrom(tableOf(kind)).select(COLUMNS);
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
  const rows = await definitionRows(db, kind).orderBy('position').orderBy('id').execute();
  return rows.map((row) => toDefinition(kind, row));
}

/** The same of all archives, then of all tables. */
export async function readAllDefinitions(db: Transaction): Promise<StoredDefinition[]> {
  return [...(await readDefinitionsOf(db, 'archive')), ...(await readDefinitionsOf(db, 'table'))];
}

/** The definition of an archive by GUID or table name, or of a table by GUID; retired ones included. */
export async function findDefinition(
  db: Transaction,
  kind: Kind,
  key: string,
): Promise<StoredDefinition | undefined> {
  const row = await definitionRows(db, kind)
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

/** @throws {ApiError} 404 if the archive or table was permanently deleted */
export async function requireStoredDefinition(
  db: Transaction,
  kind: Kind,
  id: number,
): Promise<StoredDefinition> {
  const stored = await readStoredDefinition(db, kind, id);
  if (!stored)
    throw new ApiError('not_found', kind === 'archive' ? httpTexts.noArchive : httpTexts.noTable);
  return stored;
}

/** The same, undefined if the archive or table was permanently deleted. */
export async function readStoredDefinition(
  db: Transaction,
  kind: Kind,
  id: number,
): Promise<StoredDefinition | undefined> {
  const row = await definitionRows(db, kind).where('id', '=', id).executeTakeFirst();
  return row && toDefinition(kind, row);
}

/**
 * The same for a transaction whose snapshot may be older than a change of the definition: PostgreSQL then retries the
 * transaction.
 */
export async function readDefinitionForLoad(
  db: Transaction,
  kind: Kind,
  id: number,
): Promise<StoredDefinition> {
  await db.adapter.lockDefinitionShared(db, { kind, id });
  await sql`select id from ${sql.table(tableOf(kind))} where id = ${id} ${db.adapter.lockRows}`.execute(
    db.k,
  );
  return requireStoredDefinition(db, kind, id);
}

/**
 * The definition of an archive or table by name or GUID, retired ones included.
 * @throws {ApiError} 404
 */
export async function findNamed(
  db: Transaction,
  kind: Kind,
  name: string,
): Promise<StoredDefinition> {
  const found = (await readDefinitionsOf(db, kind)).find(
    ({ state }) => isSameName(state.name, name) || isSameName(state.guid, name),
  );
  if (!found) throw new ApiError('not_found', texts.noneOfName({ kind, name }));
  return found;
}

/**
 * All definitions with database tables, including retired ones, from the database; retired fields are treated like
 * others.
 */
export async function readAllCollections(db: Transaction): Promise<(Archive | Table)[]> {
  const all = await readAllDefinitions(db);
  return all.map(({ id, state, retiredAt }) => toCollection(id, state, retiredAt, 'all'));
}
