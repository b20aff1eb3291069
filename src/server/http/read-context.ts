import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '#server/database/database.ts';
import { wrapDatabase } from '#server/database/wrap-database.ts';
import type { ReadContext } from '#server/database/query-cancellation.ts';

/**
 * The read context of a request: database time is shared fairly between users, and a read is cancelled when its client
 * disconnects.
 */
export function contextOf(request: FastifyRequest, { raw }: FastifyReply): ReadContext {
  const disconnected = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) disconnected.abort();
  });
  const owner = () => request.signedIn?.userId ?? request.knownUserId;
  return { signal: disconnected.signal, owner };
}

/** The same database, with a context for all its reads. */
export function withReadContext(database: Database, context: ReadContext): Database {
  return wrapDatabase(database, { read: (work) => database.read(work, context) });
}
