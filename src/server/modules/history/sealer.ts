import { BackgroundLoop } from '#server/background-loop.ts';
import type { Database } from '#server/database/database.ts';
import { openSealing } from './seal.ts';
import { hasAppended } from './history.store.ts';

/** The pause between a commit and its sealing, in milliseconds, so that other commits are sealed with it. */
const WAKE_DELAY = 50;
/** How often the sealer looks for entries that other processes have left, in milliseconds. */
const POLL_INTERVAL = 500;

/** Gives the entries of the history their places soon after their commit, as long as the service runs. */
export interface Sealer {
  /** The database of the service, whose writes that add to the history wake the sealer. */
  readonly database: Database;
  /** Calls `listener` after entries were sealed by this process. */
  onSealed(listener: () => void): void;
  /** Seals what this process has committed, and ends. */
  close(): Promise<void>;
}

export function openSealer(
  database: Database,
  log: { warn(about: unknown, message: string): void },
): Sealer {
  const seal = openSealing(database);
  const listeners: (() => void)[] = [];
  const sealAll = async (): Promise<void> => {
    for (;;) {
      const { entries, more } = await seal();
      if (entries > 0) for (const listener of listeners) listener();
      if (!more) return;
    }
  };
  const loop = new BackgroundLoop({
    name: 'sealing the history',
    log,
    wakeDelay: WAKE_DELAY,
    async run() {
      await sealAll();
      return POLL_INTERVAL;
    },
  });

  return {
    database: wakeAfterWrites(database, () => loop.wake()),
    onSealed: (listener) => void listeners.push(listener),
    async close() {
      await loop.close();
      if (loop.isWoken) {
        await sealAll().catch((error: unknown) =>
          log.warn({ err: error }, 'sealing the history failed'),
        );
      }
    },
  };
}

function wakeAfterWrites(database: Database, wake: () => void): Database {
  return {
    adapter: database.adapter,
    listen: (heard) => database.listen(heard),
    read: (work, context) => database.read(work, context),
    async write(work, isolation, weight) {
      let appended = false;
      const result = await database.write(
        async (db) => {
          const worked = await work(db);
          appended = hasAppended(db);
          return worked;
        },
        isolation,
        weight,
      );
      if (appended) wake();
      return result;
    },
    load: () => database.load(),
    close: () => database.close(),
  };
}
