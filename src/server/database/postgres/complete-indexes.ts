import { sql } from 'kysely';
import type { Database, FieldsWithoutIndexes, IndexProgress, Transaction } from '../database.ts';
import { withProcessLock } from '../process-lock.ts';
import { createIndex, fieldIndexes } from '../records/record-tables.ts';
import type { TableFields } from '../records/columns.ts';

/**
 * `Database.completeIndexes` on PostgreSQL: builds one index after the other without blocking reads and writes, in one process at a
 * time. An interrupted build leaves an invalid index, which is dropped first.
 */
export async function completeIndexes(
  database: Database,
  collection: TableFields,
  progress: IndexProgress,
  signal: AbortSignal,
  withoutLimits: (work: (database: Database) => Promise<void>) => Promise<void>,
): Promise<void> {
  const lacking = await database.read((db) => fieldsWithoutIndexes(db, [collection]));
  if (lacking.length > 0) {
    await withoutLimits((unlimited) => createMissing(unlimited, collection, progress, signal));
  }
}

async function createMissing(
  database: Database,
  collection: TableFields,
  progress: IndexProgress,
  signal: AbortSignal,
): Promise<void> {
  /** the process on the server that builds an index */
  let pid: number | null = null;
  const build = (lost: AbortSignal) =>
    database.write(
      async (db) => {
        pid = await readPid(db);
        try {
          // Another process may have created them meanwhile.
          const valid = await readIndexes(db, [collection]);
          for (const shape of shapesOf(db, collection)) {
            if (valid.get(shape.name) === true) continue;
            AbortSignal.any([signal, lost]).throwIfAborted();
            await progress(shape.name);
            if (valid.has(shape.name)) {
              await sql`drop index concurrently if exists ${sql.ref(shape.name)}`.execute(db.k);
            }
            await createIndex(db, collection, shape, sql`concurrently`);
          }
        } finally {
          pid = null;
        }
      },
      { isolation: 'autocommit' },
    );
  // Another process would see an index under construction as invalid and drop it.
  await withProcessLock(database, 'indexes', signal, build, async (db) => {
    if (pid !== null) await cancelBuild(db, pid);
  });
}

async function cancelBuild(db: Transaction, pid: number): Promise<void> {
  // A pooler may meanwhile have reassigned the server's connection.
  await sql`select pg_cancel_backend(pid) from pg_stat_activity
    where pid = ${pid} and query like '%index concurrently%'`.execute(db.k);
}

/** `RecordTables.fieldsWithoutIndexes` on PostgreSQL. */
export async function fieldsWithoutIndexes<Of extends TableFields>(
  db: Transaction,
  collections: readonly Of[],
): Promise<FieldsWithoutIndexes<Of>[]> {
  const valid = await readIndexes(db, collections);
  return collections.flatMap((collection) => {
    const fields = collection.fields.filter((field) =>
      fieldIndexes(db, collection, field).some(({ name }) => valid.get(name) !== true),
    );
    return fields.length > 0 ? [{ collection, fields }] : [];
  });
}

function shapesOf(db: Transaction, collection: TableFields) {
  return collection.fields.flatMap((field) => fieldIndexes(db, collection, field));
}

/** The existing indexes by name, and whether each is valid. */
async function readIndexes(
  db: Transaction,
  collections: readonly TableFields[],
): Promise<ReadonlyMap<string, boolean>> {
  const names = collections.flatMap((one) => shapesOf(db, one).map(({ name }) => name));
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
