import { READ_COMMITTED, type Database } from '#server/database/database.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import { countFoundInWorker } from './checks.reads.ts';
import * as store from './figures.store.ts';

/** Stores the counts of today, also unchanged ones that an older program counted. For housekeeping. */
export async function recordToday(database: Database, definitions: Definitions): Promise<void> {
  const collections = await database.read(async (db) => [
    ...(await definitions.archives(db)),
    ...(await definitions.tables(db)),
  ]);
  for (const { kind, id, timeZone } of collections) {
    const any = await database.read((db) => countFoundInWorker(db, { kind, id }), {
      isBackground: true,
    });
    await database.write(async (db) => {
      const [collection, now] = [{ kind, id, timeZone }, Date.now()];
      await store.writeDailyCount(db, collection, store.ANY_CHECK, any, now);
      await store.storeDailyCounts(db, collection, now);
    }, READ_COMMITTED);
  }
}
