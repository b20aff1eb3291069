import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { createBulkEditTables } from './bulk-edit-tables.ts';
import { createSystemTables } from './system-tables.ts';
import { createDeskTables } from './desk-tables.ts';
import { createHistoryBlocks } from './history-blocks.ts';
import { indexIds } from './ids-in-order.ts';
import { keepBulkEditsOfTables } from './bulk-edits-of-tables.ts';
import { keepViewsOfTables } from './views-of-tables.ts';
import { tellOfDefinitionsAndUsers } from './definitions-and-users-told.ts';
import { markEntries } from './entries-marked.ts';
import { createSearchDue } from './search-due.ts';
import { tellViewersByWindow } from './viewers-by-window.ts';
import { storeSortKeys } from './sort-keys.ts';
import { columnTypes } from './column-types.ts';
import { isWithoutTables, refuseWithoutRight } from './whose-tables.ts';

/**
 * The steps in their order: the version of a database is the number of those it has seen. Never reorder. They may name
 * tables that they have written anew.
 */
const STEPS: readonly ((db: Db) => Promise<readonly string[] | void>)[] = [
  createSystemTables,
  createBulkEditTables,
  createDeskTables,
  keepViewsOfTables,
  keepBulkEditsOfTables,
  tellOfDefinitionsAndUsers,
  createHistoryBlocks,
  indexIds,
  markEntries,
  createSearchDue,
  tellViewersByWindow,
  storeSortKeys,
];

/** The newest version of a database that this program knows. */
export const SCHEMA_VERSION = STEPS.length;

const VERSION_KEY = 'schema_version';

/** Any number, as long as no other program takes the same lock in this database: "indexdsk" in ASCII. */
const ADVISORY_LOCK = '7597120008394929003';

/**
 * Brings the system tables up to date, in the transaction of `db`. Processes that start at the same time do
 * it one after the other.
 * @returns tables of PostgreSQL that were written anew, which are to be vacuumed after the commit
 * @throws {Error} with a message for the administrator where the database is of a newer version, or another program's
 */
export async function migrate(db: Db): Promise<readonly string[]> {
  if (db.dialect === 'postgres') {
    await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)}::bigint)`.execute(db.k);
  }
  if (await isWithoutTables(db)) await begin(db);
  const stored = await db.k
    .selectFrom('installation')
    .select('value')
    .where('key', '=', VERSION_KEY)
    .executeTakeFirst();
  const version = stored ? Number(stored.value) : 0;
  if (!Number.isInteger(version) || version < 0 || version > STEPS.length) {
    throw new Error(
      `The database is of version ${stored?.value}, this Indexdesk knows versions up to ${STEPS.length}. ` +
        'Start the newer Indexdesk that last used it, or restore a backup made before.',
    );
  }
  const writtenAnew: string[] = [];
  for (const step of STEPS.slice(version)) writtenAnew.push(...((await step(db)) ?? []));
  if (version < STEPS.length) await remember(db, VERSION_KEY, String(STEPS.length));
  if (db.dialect === 'postgres') await lookForTrigrams(db);
  return writtenAnew;
}

/** Makes the table that says of which version the others are. */
async function begin(db: Db): Promise<void> {
  await refuseWithoutRight(db);
  const { text, strict } = columnTypes(db.dialect);
  await db.k.schema
    .createTable('installation')
    .addColumn('key', text, (column) => column.primaryKey().notNull())
    .addColumn('value', text, (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
}

/** Whether the tables are those of this Indexdesk: another one may have changed them since the start. */
export async function isUpToDate(db: Db): Promise<boolean> {
  const stored = await db.k
    .selectFrom('installation')
    .select('value')
    .where('key', '=', VERSION_KEY)
    .executeTakeFirst();
  return stored?.value === String(STEPS.length);
}

/** Stores whether trigram indexes can be used, after trying to make them usable. */
async function lookForTrigrams(db: Db): Promise<void> {
  if (!(await trigramsUsable(db))) {
    // The block is a savepoint of its own: creating the extension may not be allowed to us.
    await sql`do $$ begin create extension if not exists pg_trgm; exception when others then null; end $$`.execute(
      db.k,
    );
  }
  await remember(db, 'pg_trgm', (await trigramsUsable(db)) ? '1' : '0');
}

/** Whether pg_trgm is there, in a schema in which names are looked up. */
async function trigramsUsable(db: Db): Promise<boolean> {
  const { rows } = await sql<{ usable: boolean }>`
    select exists (
      select from pg_opclass where opcname = 'gin_trgm_ops' and pg_opclass_is_visible(oid)
    ) as usable`.execute(db.k);
  return rows[0]?.usable === true;
}

async function remember(db: Db, key: string, value: string): Promise<void> {
  await db.k
    .insertInto('installation')
    .values({ key, value })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ value }).where('installation.value', '!=', value),
    )
    .execute();
}
