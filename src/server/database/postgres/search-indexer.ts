import { sql } from 'kysely';
import { BackgroundLoop, UNTIL_WOKEN } from '#server/lib/background-loop.ts';
import { READ_COMMITTED, type Database, type SearchStore, type Transaction } from '../database.ts';
import { tableName, type CollectionRef } from '../records/columns.ts';
import { searchIndex } from './postgres-record-tables.ts';

/**
 * The records of one archive or table whose new texts are merged into its search index together. One record has some
 * hundred trigrams, and each is a place in the index; many records share most of them.
 */
const MIN_RECORDS = 500;

/**
 * PostgreSQL adds new texts to a pending list of the index, which searches read completely, and merges the list when it
 * exceeds a limit: within the statement that happens to exceed it
 * (https://www.postgresql.org/docs/current/gin.html#GIN-FAST-UPDATE). This store merges it in the background before that.
 */
export function createSearchStore(): SearchStore {
  const changes = new Map<string, { readonly collection: CollectionRef; records: number }>();

  const mergeNext = async (database: Database): Promise<boolean> => {
    const next = changes.values().find(({ records }) => records >= MIN_RECORDS);
    if (!next) return false;
    changes.delete(tableName(next.collection));
    await database.write((db) => mergePendingList(db, next.collection), READ_COMMITTED);
    return true;
  };

  return {
    markSearchTextsChanged(_db, collection, ids) {
      const name = tableName(collection);
      const entry = changes.get(name) ?? { collection, records: 0 };
      entry.records += ids.length;
      changes.set(name, entry);
      return Promise.resolve();
    },
    openSearchIndexer: (database, log) =>
      new BackgroundLoop({
        name: 'merging texts into the search index',
        log,
        async run(signal) {
          while (!signal.aborted && (await mergeNext(database)));
          return UNTIL_WOKEN;
        },
      }),
  };
}

async function mergePendingList(db: Transaction, collection: CollectionRef): Promise<void> {
  // A purge may have deleted the archive or table meanwhile.
  await sql`select gin_clean_pending_list(oid) from pg_class
    where relname = ${searchIndex(collection)} and relnamespace = current_schema()::regnamespace`.execute(
    db.k,
  );
}
