import * as texts from '#messages/service/database.ts';
import { sql } from 'kysely';
import type { Catalog, TableColumn, Transaction } from '../database.ts';

export const CATALOG: Catalog = {
  trigram: false,
  prepareTrigrams: () => Promise.resolve(null),
  async tableNames(db) {
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_schema
      where type in ('table', 'view') and name not like 'sqlite\_%' escape '\\' order by name`.execute(
      db.k,
    );
    return rows.map(({ name }) => name);
  },
  async tableColumns(db) {
    const { rows } = await COLUMNS.execute(db.k);
    return rows;
  },
  async readCounter(db, table) {
    const { rows } = await sql<{ given: number | null }>`
      select max(seq) as given from sqlite_sequence where name = ${table}`.execute(db.k);
    return rows[0]?.given ?? null;
  },
  async writeCounter(db, table, _, given) {
    const { rows } = await sql`select 1 from sqlite_sequence where name = ${table}`.execute(db.k);
    await (
      rows.length === 0
        ? sql`insert into sqlite_sequence (name, seq) values (${table}, ${given})`
        : sql`update sqlite_sequence set seq = ${given} where name = ${table}`
    ).execute(db.k);
  },
  async triggersOf(db, table) {
    const { rows } = await sql<{ text: string }>`select sql as text from sqlite_schema
      where type = 'trigger' and tbl_name = ${table}`.execute(db.k);
    return rows.map(({ text }) => text);
  },
  refusableChanges: ['update', 'delete'],
  async describeLocation(db) {
    const file = await readFile(db);
    return {
      place: texts.sqliteDatabase(file),
      remedy: texts.chooseOtherDirectory,
      emptyDatabase: texts.sqliteDatabaseEmpty(file),
    };
  },
  async readEngine(db) {
    const { rows } = await sql<{ version: string; bytes: number }>`
      select sqlite_version() as version, page_count * page_size as bytes
      from pragma_page_count, pragma_page_size`.execute(db.k);
    const [{ version, bytes } = { version: '', bytes: 0 }] = rows;
    return { name: 'SQLite', version, bytes };
  },
  assertMayCreateTables: () => Promise.resolve(),
};

async function readFile(db: Transaction): Promise<string | undefined> {
  const { rows } = await sql<{ file: string }>`
    select file from pragma_database_list where name = 'main'`.execute(db.k);
  return rows[0]?.file;
}

const COLUMNS = sql<TableColumn>`
  select list.name as "table", info.name as "column", info.type = 'TEXT' as text, info.pk as key_position,
    info.pk = 1 and master.sql like '%autoincrement%' as counter
  from pragma_table_list as list
    join sqlite_master as master on master.name = list.name
    join pragma_table_info(list.name) as info
  where list.schema = 'main' and list.type = 'table' and list.name not like 'sqlite\_%' escape '\\'`;
