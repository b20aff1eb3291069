import type { Database } from '#server/database/database.ts';
import { openSealing } from './seal.ts';
import { hasAppended } from './history.store.ts';

/** How long a commit is waited for by others to be sealed with, in milliseconds. */
const GATHERING = 50;
/** How often it is looked for what others have left, in milliseconds. */
const LOOK_EVERY = 500;
/** The pause after a failure, in milliseconds. */
const AFTER_FAILURE = 1_000;

interface Log {
  warn(about: unknown, message: string): void;
}

/** Gives the entries of the history their places soon after their commit, as long as the service runs. */
export interface Sealer {
  /** The database of the service, whose writes that add to the history wake the sealer. */
  readonly database: Database;
  /** Calls `heard` after entries were sealed by this process. */
  onSealed(heard: () => void): void;
  /** Seals what this process has committed, and ends. */
  close(): Promise<void>;
}

export function openSealer(database: Database, log: Log): Sealer {
  const seal = openSealing(database);
  const heard: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let underWay: Promise<void> | undefined;
  let awake = false;
  let closed = false;

  const round = async (): Promise<number> => {
    awake = false;
    try {
      for (;;) {
        const { entries, more } = await seal();
        if (entries > 0) for (const listener of heard) listener();
        if (!more) return awake ? GATHERING : LOOK_EVERY;
      }
    } catch (error) {
      log.warn({ err: error }, 'the history was not sealed');
      return AFTER_FAILURE;
    }
  };
  const look = async () => {
    dueAt = Number.POSITIVE_INFINITY;
    const next = await round();
    underWay = undefined;
    plan(next);
  };
  const plan = (pause: number) => {
    if (closed || underWay || performance.now() + pause >= dueAt) return;
    clearTimeout(timer);
    dueAt = performance.now() + pause;
    timer = setTimeout(() => {
      underWay = look();
    }, pause);
  };
  const wake = () => {
    awake = true;
    plan(GATHERING);
  };
  plan(0);

  return {
    database: wakeAfterWrites(database, wake),
    onSealed: (listener) => void heard.push(listener),
    async close() {
      closed = true;
      clearTimeout(timer);
      await underWay;
      if (awake) await round();
    },
  };
}

function wakeAfterWrites(database: Database, wake: () => void): Database {
  return {
    dialect: database.dialect,
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
