import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '#server/database/database.ts';
import { wrapDatabase } from '#server/database/wrap-database.ts';
import type { ReadContext } from '#server/database/query-limits.ts';

/**
 * On whose behalf a request reads: of the time of the database each user has a fair share, and what is read for a client
 * that has left is cancelled.
 */
export function contextOf(request: FastifyRequest, { raw }: FastifyReply): ReadContext {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  const owner = () => request.signedIn?.userId ?? request.knownUserId;
  return { signal: gone.signal, owner };
}

/** The same database, which reads in a context. */
export function readingFor(database: Database, context: ReadContext): Database {
  return wrapDatabase(database, { read: (work) => database.read(work, context) });
}
