import type { Database } from '#server/database/database.ts';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';
import { completeIndexes, lacksIndexes } from '#server/database/records/complete-indexes.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { readDefinitions } from '#server/modules/definitions/definitions.service.ts';
import type { Console } from './console.ts';

/** Indexes that are made while the service works. */
export interface IndexCompletion {
  /** Ends it, cutting off an index that is being made. */
  close(): Promise<void>;
}

/**
 * Makes the indexes that a load was cut off in: on SQLite before this resolves, as lists need them there, which no other
 * process uses; on PostgreSQL in the background, where lists are slower without them.
 * @param database of the service
 * @param config the same database: on PostgreSQL it gets connections without the service's limit for statements
 */
export async function startIndexCompletion(
  database: Database,
  { dataDir, databaseUrl }: DatabaseConfig,
  console: Console,
): Promise<IndexCompletion> {
  const { archives, tables } = await database.read(readDefinitions);
  const collections: Collection[] = [...archives, ...tables];
  const closing = new AbortController();
  const progress = (name: string) => (index: string) =>
    console.err(`${name}: creating the index ${index}.`);
  if (!database.adapter.isShared) {
    for (const collection of collections) {
      await completeIndexes(database, collection, progress(collection.name));
    }
    return { close: () => Promise.resolve() };
  }
  const complete = async () => {
    const incomplete = await database.read(async (db) => {
      const found: Collection[] = [];
      for (const collection of collections) {
        if (await lacksIndexes(db, collection)) found.push(collection);
      }
      return found;
    });
    if (incomplete.length === 0) return;
    const unlimited = await openDatabase({ dataDir, databaseUrl }, { access: 'write' });
    try {
      for (const collection of incomplete) {
        await completeIndexes(unlimited, collection, progress(collection.name), closing.signal);
      }
    } finally {
      await unlimited.close();
    }
    console.err('All indexes are complete.');
  };
  const completing = complete().catch((error: unknown) => {
    if (closing.signal.aborted) return;
    const reason = error instanceof Error ? error.message : String(error);
    console.err(
      `Indexes could not be completed: ${reason} Sorted lists are slower until the next start completes them.`,
    );
  });
  return {
    close() {
      closing.abort(new Error('The service is closed.'));
      return completing;
    },
  };
}
