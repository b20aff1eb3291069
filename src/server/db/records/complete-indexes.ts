import { sql } from 'kysely';
import type { Database, Db } from '../database.ts';
import { createIndex, fieldIndexes } from './record-tables.ts';
import type { Thing } from './thing.ts';

/**
 * Makes the indexes that the fields of a record table lack: those of new fields, and those whose making was cut off.
 * On PostgreSQL one after the other without keeping reads and writes waiting; what was cut off there is an index that
 * is not valid, and is dropped first.
 * @param progress called with the name of each index that is made
 */
export async function completeIndexes(
  database: Database,
  thing: Thing,
  progress: (index: string) => void,
): Promise<void> {
  if (database.dialect === 'sqlite') {
    await database.write(async (db) => {
      for (const field of thing.fields) {
        for (const shape of fieldIndexes(db.dialect, thing, field)) {
          await createIndex(db, thing, shape);
        }
      }
    });
    return;
  }
  await database.write(async (db) => {
    for (const field of thing.fields) {
      for (const shape of fieldIndexes(db.dialect, thing, field)) {
        const state = await stateOf(db, shape.name);
        if (state === 'valid') continue;
        progress(shape.name);
        if (state === 'invalid') {
          await sql`drop index concurrently if exists ${sql.ref(shape.name)}`.execute(db.k);
        }
        await createIndex(db, thing, shape, sql`concurrently`);
      }
    }
  }, 'autocommit');
}

async function stateOf(db: Db, index: string): Promise<'valid' | 'invalid' | 'missing'> {
  const { rows } = await sql<{ valid: boolean }>`
    select entry.indisvalid as valid
    from pg_class as class join pg_index as entry on entry.indexrelid = class.oid
    where class.relnamespace = current_schema()::regnamespace and class.relname = ${index}`.execute(
    db.k,
  );
  const [found] = rows;
  if (!found) return 'missing';
  return found.valid ? 'valid' : 'invalid';
}
