import { setTimeout } from 'node:timers/promises';
import type { Database } from '#server/database/database.ts';
import { isSchemaCurrent } from '#server/database/migrations/migrate.ts';

/** How long the database may take to answer, in milliseconds. */
const MAX_ANSWER_TIME = 3_000;

/** Whether a process can accept requests. */
interface Readiness {
  /** @returns null if it can, else the reason, for the administrator; resolves within about 3 s */
  problem(): Promise<string | null>;
  /** Makes the process not ready from now on. */
  drain(): void;
}

export function openReadiness(database: Database): Readiness {
  let draining = false;
  // Concurrent checks share one query, so that a hanging database gets a single query.
  let asking: Promise<string | null> | undefined;
  const ask = (): Promise<string | null> => {
    asking ??= problemOf(database).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return {
    async problem() {
      if (draining) return 'the service is being stopped';
      const late = new AbortController();
      const problem = await Promise.race([
        ask(),
        setTimeout(MAX_ANSWER_TIME, 'the database does not answer', { signal: late.signal }),
      ]);
      late.abort();
      // The process may have started to stop during the check.
      return draining ? 'the service is being stopped' : problem;
    },
    drain() {
      draining = true;
    },
  };
}

async function problemOf(database: Database): Promise<string | null> {
  try {
    return await database.read(async (db) => {
      if (!(await isSchemaCurrent(db))) return 'the database is of another version';
      const isStandby = await db.adapter.isStandby(db);
      return isStandby ? 'the database is a standby and takes no writes' : null;
    });
  } catch {
    return 'the database cannot be read';
  }
}
