import { sql } from 'kysely';
import type { Database, Transaction } from '../database.ts';
import { withProcessLock } from '../process-lock.ts';
import { createIndex, fieldIndexes } from '../records/record-tables.ts';
import type { Collection } from '../records/collection.ts';

/**
 * `Adapter.completeIndexes`: one after the other without keeping reads and writes waiting, by one process at a time. What
 * was cut off is an index that is not valid, and is dropped first.
 */
export async function completeIndexes(
  database: Database,
  collection: Collection,
  progress: (index: string) => void,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  if (!(await database.read((db) => lacksIndexes(db, collection)))) return;
  // To another process an index that is being made is invalid, and it would drop it.
  await withProcessLock(database, 'indexes', signal, (cancellation) =>
    database.write(async (db) => {
      cancellation.pid = await readPid(db);
      try {
        // Another process may have made them meanwhile.
        const valid = await readIndexes(db, collection);
        for (const shape of shapesOf(db, collection)) {
          if (valid.get(shape.name) === true) continue;
          signal.throwIfAborted();
          progress(shape.name);
          if (valid.has(shape.name)) {
            await sql`drop index concurrently if exists ${sql.ref(shape.name)}`.execute(db.k);
          }
          await createIndex(db, collection, shape, sql`concurrently`);
        }
      } finally {
        cancellation.pid = null;
      }
    }, 'autocommit'),
  );
}

/** Whether `completeIndexes` has something to do on PostgreSQL. */
export async function lacksIndexes(db: Transaction, collection: Collection): Promise<boolean> {
  const valid = await readIndexes(db, collection);
  return shapesOf(db, collection).some(({ name }) => valid.get(name) !== true);
}

function shapesOf(db: Transaction, collection: Collection) {
  return collection.fields.flatMap((field) => fieldIndexes(db, collection, field));
}

/** Whether each of the indexes that are there is valid, by its name. */
async function readIndexes(
  db: Transaction,
  collection: Collection,
): Promise<ReadonlyMap<string, boolean>> {
  const names = shapesOf(db, collection).map(({ name }) => name);
  const { rows } = await sql<{ name: string; valid: boolean }>`
    select class.relname as name, entry.indisvalid as valid
    from pg_class as class join pg_index as entry on entry.indexrelid = class.oid
    where class.relnamespace = current_schema()::regnamespace and class.relname = any(${names}::text[])`.execute(
    db.k,
  );
  return new Map(rows.map(({ name, valid }) => [name, valid]));
}

async function readPid(db: Transaction): Promise<number | null> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db.k);
  return rows[0]?.pid ?? null;
}
