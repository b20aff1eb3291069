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
 * Creates in the background the indexes that an interrupted load on PostgreSQL has not created. On SQLite the service does
 * it when nobody writes (`postponed-indexes.runner.ts`).
 * @param database of the service
 * @param config the same database; PostgreSQL gets connections without the service's statement timeout
 */
export async function startIndexCompletion(
  database: Database,
  { dataDir, databaseUrl }: DatabaseConfig,
  console: Console,
): Promise<IndexCompletion> {
  if (!database.adapter.isShared) return { close: () => Promise.resolve() };
  const { archives, tables } = await database.read(readDefinitions);
  const collections: Collection[] = [...archives, ...tables];
  const closing = new AbortController();
  const complete = async () => {
    const incomplete = await database.read((db) =>
      db.adapter.fieldsWithoutIndexes(db, collections),
    );
    if (incomplete.length === 0) return;
    const unlimited = await openDatabase({ dataDir, databaseUrl }, { access: 'write' });
    try {
      for (const { collection } of incomplete) {
        const progress = (index: string) =>
          console.err(texts.creatingIndex({ name: collection.name, index }));
        await unlimited.completeIndexes(collection, progress, closing.signal);
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
