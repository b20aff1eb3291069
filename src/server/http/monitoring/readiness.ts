import * as texts from '#messages/service/http.ts';
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
      if (draining) return texts.notReady.stopping;
      const late = new AbortController();
      const problem = await Promise.race([
        ask(),
        setTimeout(MAX_ANSWER_TIME, texts.notReady.noAnswer, { signal: late.signal }),
      ]);
      late.abort();
      // The process may have started to stop during the check.
      return draining ? texts.notReady.stopping : problem;
    },
    drain() {
      draining = true;
    },
  };
}

async function problemOf(database: Database): Promise<string | null> {
  try {
    return await database.read(async (db) => {
      if (!(await isSchemaCurrent(db))) return texts.notReady.otherVersion;
      const isStandby = await db.adapter.isStandby(db);
      return isStandby ? texts.notReady.standby : null;
    });
  } catch {
    return texts.notReady.unreadable;
  }
}
