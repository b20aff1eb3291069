import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '#server/db/database.ts';
import { tableName, valueColumn } from '#server/db/records/columns.ts';
import type { Thing } from '#server/db/records/thing.ts';
import { SQLITE_FILE } from '#server/db/sqlite-database.ts';
import { readDefinitions } from '#server/modules/definitions/definitions.service.ts';

/** The archive and the table of a data directory, as the service keeps them. */
export async function thingsOf(dataDir: string): Promise<{ archive: Thing; table: Thing }> {
  const database = await openDatabase({ dataDir });
  try {
    const { archives, tables } = await database.read(readDefinitions);
    const [archive, table] = [archives[0], tables[0]];
    if (!archive || !table) throw new Error('The data directory holds no archive or table.');
    return { archive, table };
  } finally {
    await database.close();
  }
}

/**
 * Makes a database with the values alone: tables `revisions` and `records` with the columns `id` and the names of the
 * fields, and no index.
 * @returns its file
 */
export async function makeBareTables(dataDir: string): Promise<string> {
  const { archive, table } = await thingsOf(dataDir);
  const file = join(dataDir, 'bare.sqlite');
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal');
  database.prepare('attach ? as product').run(join(dataDir, SQLITE_FILE));
  for (const [name, thing] of [
    ['revisions', archive],
    ['records', table],
  ] as const) {
    const fields = thing.fields.map(({ name }) => name).join(', ');
    const columns = thing.fields.map(valueColumn).join(', ');
    database.exec(`create table ${name} (id integer primary key, ${fields});
      insert into ${name} (id, ${fields}) select _id, ${columns} from product.${tableName(thing)}`);
  }
  database.close();
  return file;
}
