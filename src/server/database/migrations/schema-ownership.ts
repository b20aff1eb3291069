import { sql } from 'kysely';
import type { Transaction } from '../database.ts';

/** Made together by the first Indexdesk that used a database: where they are, the database is Indexdesk's. */
const OURS = ['archives', 'history', 'installation'];

const MOST_NAMED = 3;

/**
 * Looks whose tables are where ours are, or are to be.
 * @returns whether there are none at all
 * @throws {Error} with the place and the remedy where they are another program's
 */
export async function isWithoutTables(db: Transaction): Promise<boolean> {
  const names = await readNames(db);
  if (names.length === 0) return true;
  if (OURS.every((name) => names.includes(name))) return false;
  const [place, remedy] = await (db.dialect === 'sqlite' ? sqlitePlace(db) : postgresPlace(db));
  throw new Error(`${place} holds what another program has made: ${listed(names)}. ${remedy}`);
}

/** On PostgreSQL all that has a name there, but for what an extension brings. */
async function readNames(db: Transaction): Promise<readonly string[]> {
  const { rows } = await (
    db.dialect === 'sqlite'
      ? sql<{ name: string }>`
        select name from sqlite_schema
        where type in ('table', 'view') and name not like 'sqlite\_%' escape '\\' order by name`
      : sql<{ name: string }>`
        select class.relname as name from pg_class as class
          join pg_namespace as space on space.oid = class.relnamespace
        where space.nspname = current_schema() and class.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
          and not exists (select from pg_depend as made where made.classid = 'pg_class'::regclass
            and made.objid = class.oid and made.deptype = 'e')
        order by name`
  ).execute(db.k);
  return rows.map(({ name }) => name);
}

async function sqlitePlace(db: Transaction): Promise<[place: string, remedy: string]> {
  return [`The database ${await sqliteFile(db)}`, 'Choose another directory with --data.'];
}

async function sqliteFile(db: Transaction): Promise<string | undefined> {
  const { rows } = await sql<{ file: string }>`
    select file from pragma_database_list where name = 'main'`.execute(db.k);
  return rows[0]?.file;
}

async function postgresPlace(db: Transaction): Promise<[place: string, remedy: string]> {
  const { user, database, schema } = await readPostgresPlace(db);
  return [
    `The database ${database} (schema ${schema}) of --database-url`,
    `Indexdesk needs one of its own: \`createdb --owner ${user} NAME\`, and its name in --database-url.`,
  ];
}

/**
 * Looks whether this user of PostgreSQL may make tables, which newer versions allow to the database's owner alone.
 * @throws {Error} with the remedy where that may not be
 */
export async function refuseWithoutRight(db: Transaction): Promise<void> {
  if (db.dialect === 'sqlite') return;
  const { user, database, schema, allowed } = await readPostgresPlace(db);
  if (schema === null) {
    throw new Error(
      `No schema of the database ${database} that the user ${user} may use is in its search_path: name one there.`,
    );
  }
  if (allowed) return;
  throw new Error(
    `The user ${user} may not make tables in the database ${database} (schema ${schema}). As its administrator: ` +
      `\`alter database ${database} owner to ${user}\`, or \`grant create on schema ${schema} to ${user}\`.`,
  );
}

/** @throws {Error} where a database holds no tables, or another program's */
export async function refuseEmpty(db: Transaction): Promise<void> {
  if (!(await isWithoutTables(db))) return;
  if (db.dialect === 'sqlite') {
    throw new Error(`There is no Indexdesk database in ${await sqliteFile(db)}: it has no tables.`);
  }
  const { database, schema } = await readPostgresPlace(db);
  throw new Error(`There is no Indexdesk in the database ${database} (schema ${schema}).`);
}

interface PostgresPlace {
  user: string;
  database: string;
  /** null where there is none of the search path that may be used */
  schema: string | null;
  allowed: boolean | null;
}

async function readPostgresPlace(db: Transaction): Promise<PostgresPlace> {
  const { rows } = await sql<PostgresPlace>`
    select current_user as user, current_database() as database, current_schema() as schema,
      has_schema_privilege(current_schema(), 'create') as allowed`.execute(db.k);
  const [place] = rows;
  if (!place) throw new Error('PostgreSQL did not tell its place.');
  return place;
}

function listed(names: readonly string[]): string {
  const named = names.slice(0, MOST_NAMED).join(', ');
  const others = names.length - MOST_NAMED;
  return others > 0 ? `${named} and ${others} more` : named;
}
