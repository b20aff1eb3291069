import { sql } from 'kysely';
import type { CachedStatement, Transaction } from '#server/database/database.ts';
import { textAt } from '#server/database/row-values.ts';
import { writeSetting } from '#server/database/installation.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { nameKey } from '#shared/rules/names.ts';
import type { DefinitionState } from './definition-state.ts';
import { toStored } from './definition-json.ts';
import { definitionRows, tableOf, type DefinitionRow } from './stored-definitions.ts';

type Kind = Collection['kind'];

/** The stored definition of an archive or table, for the history. */
type AuditedDefinition = ReturnType<typeof toAudited>;

export async function readAudited(
  db: Transaction,
  kind: Kind,
  id: number,
): Promise<AuditedDefinition> {
  return toAudited(await definitionRows(db, kind).where('id', '=', id).executeTakeFirstOrThrow());
}

/** The same for all archives or tables, retired ones included. */
export async function readAllAudited(
  db: Transaction,
  kind: Kind,
): Promise<(AuditedDefinition & { readonly id: number })[]> {
  const rows = await definitionRows(db, kind).orderBy('id').execute();
  return rows.map((row) => ({ id: row.id, ...toAudited(row) }));
}

function toAudited(row: DefinitionRow) {
  const definition: unknown = JSON.parse(row.definition);
  return { definition, position: row.position, retiredAt: row.retired_at };
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
