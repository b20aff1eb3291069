import { OperatorError } from '#server/lib/operator-error.ts';
import * as texts from '#messages/service/database.ts';
import { sql } from 'kysely';
import type { Catalog, TableColumn, Transaction } from '../database.ts';

export const CATALOG: Omit<Catalog, 'trigram'> = {
  async prepareTrigrams(db) {
    if (!(await areTrigramsUsable(db))) {
      // The block acts as a savepoint, because creating the extension may not be allowed.
      await sql`do $$ begin create extension if not exists pg_trgm; exception when others then null; end $$`.execute(
        db.k,
      );
    }
    return areTrigramsUsable(db);
  },
  async tableNames(db) {
    const { rows } = await sql<{ name: string }>`
      select class.relname as name from pg_class as class
        join pg_namespace as space on space.oid = class.relnamespace
      where space.nspname = current_schema() and class.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
        and not class.relispartition
        and not exists (select from pg_depend as made where made.classid = 'pg_class'::regclass
          and made.objid = class.oid and made.deptype = 'e')
      order by name`.execute(db.k);
    return rows.map(({ name }) => name);
  },
  async tableColumns(db) {
    const { rows } = await COLUMNS.execute(db.k);
    return rows;
  },
  async readCounter(db, table, column) {
    const sequence = sql.table(await sequenceOf(db, table, column));
    const { rows } = await sql<{ given: number | null }>`
      select case when is_called then last_value end as given from ${sequence}`.execute(db.k);
    return rows[0]?.given ?? null;
  },
  async writeCounter(db, table, column, given) {
    const sequence = await sequenceOf(db, table, column);
    await sql`select setval(${sequence}::regclass, ${given}::bigint, true)`.execute(db.k);
  },
  async triggersOf(db, table) {
    const { rows } = await sql<{ text: string }>`select p.prosrc || pg_get_triggerdef(t.oid) as text
      from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      where t.tgrelid = ${table}::regclass and t.tgenabled in ('O', 'A')`.execute(db.k);
    return rows.map(({ text }) => text);
  },
  refusableChanges: ['update', 'delete', 'truncate'],
  async describeLocation(db) {
    const { user, database, schema } = await readConnectionInfo(db);
    return {
      place: texts.postgresDatabase({ database, schema }),
      remedy: texts.ownPostgresDatabaseNeeded(user),
      emptyDatabase: texts.postgresDatabaseEmpty({ database, schema }),
    };
  },
  async readEngine(db) {
    const { rows } = await sql<{ version: string; bytes: number }>`
      select current_setting('server_version') as version,
        pg_database_size(current_database()) as bytes`.execute(db.k);
    const [{ version, bytes } = { version: '', bytes: 0 }] = rows;
    return { name: 'PostgreSQL', version, bytes };
  },
  /** Newer versions of PostgreSQL allow this only to the database's owner. */
  async assertMayCreateTables(db) {
    const { user, database, schema, allowed } = await readConnectionInfo(db);
    if (schema === null) {
      throw new OperatorError(texts.noUsableSchema({ database, user }));
    }
    if (allowed) return;
    throw new OperatorError(texts.mayNotCreateTables({ user, database, schema }));
  },
};

/** Whether pg_trgm is installed, in a schema of the search path. */
async function areTrigramsUsable(db: Transaction): Promise<boolean> {
  const { rows } = await sql<{ usable: boolean }>`
    select exists (
      select from pg_opclass where opcname = 'gin_trgm_ops' and pg_opclass_is_visible(oid)
    ) as usable`.execute(db.k);
  return rows[0]?.usable === true;
}

async function sequenceOf(db: Transaction, table: string, column: string): Promise<string> {
  const { rows } = await sql<{ sequence: string | null }>`
    select pg_get_serial_sequence(${table}, ${column}) as sequence`.execute(db.k);
  const sequence = rows[0]?.sequence;
  if (!sequence) throw new Error(`${table} has no counter.`);
  return sequence;
}

interface ConnectionInfo {
  user: string;
  database: string;
  /** null if no schema of the search path may be used */
  schema: string | null;
  allowed: boolean | null;
}

async function readConnectionInfo(db: Transaction): Promise<ConnectionInfo> {
  const { rows } = await sql<ConnectionInfo>`
    select current_user as user, current_database() as database, current_schema() as schema,
      has_schema_privilege(current_schema(), 'create') as allowed`.execute(db.k);
  const [info] = rows;
  if (!info) throw new Error('PostgreSQL did not return the connection info.');
  return info;
}

const COLUMNS = sql<TableColumn>`
  select class.relname as "table", attribute.attname as "column",
    attribute.atttypid = 'text'::regtype as text,
    coalesce(array_position(key.indkey::int2[], attribute.attnum) + 1, 0)::integer as key_position,
    attribute.attidentity <> '' as counter
  from pg_class as class
    join pg_attribute as attribute
      on attribute.attrelid = class.oid and attribute.attnum > 0 and not attribute.attisdropped
        and not (class.relname ~ '^(archive|table)_[0-9]+$' and attribute.attname ~ '^f[0-9]+_key$')
    left join pg_index as key on key.indrelid = class.oid and key.indisprimary
  where class.relnamespace = current_schema()::regnamespace and class.relkind in ('r', 'p')
    and not exists (select from pg_inherits where inhrelid = class.oid)`;
