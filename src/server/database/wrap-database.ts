import type { Database } from './database.ts';

/** The same database with some of its methods replaced. */
export function wrapDatabase(database: Database, replaced: Partial<Database>): Database {
  return {
    adapter: database.adapter,
    read: (work, context) => database.read(work, context),
    write: (work, options) => database.write(work, options),
    listen: (callback) => database.listen(callback),
    completeIndexes: (collection, progress, signal) =>
      database.completeIndexes(collection, progress, signal),
    untilQuiet: (period, maxWait, signal) => database.untilQuiet(period, maxWait, signal),
    load: () => database.load(),
    close: () => database.close(),
    ...replaced,
  };
}
