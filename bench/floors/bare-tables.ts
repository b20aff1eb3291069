import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { tableName, valueColumn } from '#server/database/records/columns.ts';
import type { Rig } from '../rig.ts';

/**
 * Makes a database with the values alone: tables `revisions` and `records` with the columns `id` and the names of the
 * fields, and no index.
 * @returns its file
 */
export function makeBareTables({ dataDir, file: product, collections }: Rig): string {
  const file = join(dataDir, 'bare.sqlite');
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal');
  database.prepare('attach ? as product').run(product);
  for (const [name, collection] of [
    ['revisions', collections.archive],
    ['records', collections.table],
  ] as const) {
    const fields = collection.fields.map(({ name }) => name).join(', ');
    const columns = collection.fields.map(valueColumn).join(', ');
    database.exec(`create table ${name} (id integer primary key, ${fields});
      insert into ${name} (id, ${fields}) select _id, ${columns} from product.${tableName(collection)}`);
  }
  database.close();
  return file;
}
