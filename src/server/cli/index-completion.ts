import * as texts from '#messages/service/cli.ts';
import type { Database } from '#server/database/database.ts';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { readDefinitions } from '#server/modules/definitions/definitions.service.ts';
import type { Console } from './console.ts';
import { messageOf } from '#server/lib/caught-errors.ts';

/** The creation of missing indexes. */
export interface IndexCompletion {
  /** Cancels it, also during the creation of an index. */
  close(): Promise<void>;
}

/**
 * Creates the indexes that an interrupted load has not created: on SQLite before this resolves, because lists need them;
 * on PostgreSQL in the background, where lists are only slower without them.
 * @param database of the service
 * @param config the same database; PostgreSQL gets connections without the service's statement timeout
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
    console.err(texts.creatingIndex({ name, index }));
  if (!database.adapter.isShared) {
    for (const collection of collections) {
      await database.completeIndexes(collection, progress(collection.name));
    }
    return { close: () => Promise.resolve() };
  }
  const complete = async () => {
    const incomplete = await database.read(async (db) => {
      const found: Collection[] = [];
      for (const collection of collections) {
        if (await db.adapter.lacksIndexes(db, collection)) found.push(collection);
      }
      return found;
    });
    if (incomplete.length === 0) return;
    const unlimited = await openDatabase({ dataDir, databaseUrl }, { access: 'write' });
    try {
      for (const collection of incomplete) {
        await unlimited.completeIndexes(collection, progress(collection.name), closing.signal);
      }
    } finally {
      await unlimited.close();
    }
    console.err(texts.allIndexesComplete);
  };
  const completing = complete().catch((error: unknown) => {
    if (closing.signal.aborted) return;
    const reason = messageOf(error);
    console.err(texts.indexesIncomplete(reason));
  });
  return {
    close() {
      closing.abort(new Error('The service is closed.'));
      return completing;
    },
  };
}
