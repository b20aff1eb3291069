import * as texts from '#messages/service/http.ts';
import { setTimeout } from 'node:timers/promises';
import type { Database } from '#server/database/database.ts';
import { isSchemaCurrent } from '#server/database/migrations/migrate.ts';

/** How long the database may take to answer, in milliseconds. */
const MAX_ANSWER_TIME = 3_000;

/**
 * Whether a process can accept requests.
 * @param stopping aborted when it accepts no more
 * @returns a function that finds out why not, for the administrator; null: it can. It resolves within about 3 s
 */
export function readinessCheck(
  database: Database,
  stopping: AbortSignal,
): () => Promise<string | null> {
  // Concurrent checks share one query, so that a hanging database gets a single query.
  let asking: Promise<string | null> | undefined;
  const ask = (): Promise<string | null> => {
    asking ??= problemOf(database).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return async () => {
    if (stopping.aborted) return texts.notReady.stopping;
    const late = new AbortController();
    const problem = await Promise.race([
      ask(),
      setTimeout(MAX_ANSWER_TIME, texts.notReady.noAnswer, { signal: late.signal }),
    ]);
    late.abort();
    // The process may have started to stop during the check.
    return stopping.aborted ? texts.notReady.stopping : problem;
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
