import { sql } from 'kysely';

/**
 * Selects what the archive or table is called that a row is about: the table name of an archive as `archive`, the GUID of a
 * data table as `table`. Each is null for the other kind, and for one that was purged.
 * @param from the table with the columns `scope` and `thing_id`
 */
export function collectionNames(from: 'bulk_edits' | 'definition_jobs') {
  const [scope, id] = [sql.ref(`${from}.scope`), sql.ref(`${from}.thing_id`)];
  return [
    sql<string | null>`(select table_name from archives
      where ${scope} = 'archive' and archives.id = ${id})`.as('archive'),
    sql<string | null>`(select guid from data_tables
      where ${scope} = 'table' and data_tables.id = ${id})`.as('table'),
  ] as const;
}
