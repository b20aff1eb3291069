import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '#server/db/database.ts';
import type { ReadContext } from '#server/db/query-limits.ts';
import { clientOf } from './client.ts';

/** The users of sessions that were found before, by their tokens: known before the database is asked. */
const owners = new Map<string, number>();
const MOST_OWNERS = 10_000;

/** Remembers whose session a token opens; whether it still does is asked for each request. */
export function rememberOwner(token: string, userId: number): void {
  if (owners.has(token)) return;
  // A map's order tells which has been there for longest.
  const [oldest] = owners.keys();
  if (oldest !== undefined && owners.size >= MOST_OWNERS) owners.delete(oldest);
  owners.set(token, userId);
}

/**
 * On whose behalf a request reads: of the time of the database each user has a fair share, and what is read for a client
 * that has left is cancelled.
 * @param sessionCookie its name
 */
export function contextOf(
  request: FastifyRequest,
  { raw }: FastifyReply,
  sessionCookie: string,
): ReadContext {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  const owner = () =>
    request.signedIn?.userId ?? owners.get(clientOf(request).cookies.get(sessionCookie) ?? '');
  return { signal: gone.signal, owner };
}

/** The same database, which reads in a context. */
export function readingFor(database: Database, context: ReadContext): Database {
  return {
    dialect: database.dialect,
    read: (work) => database.read(work, context),
    write: (work, isolation) => database.write(work, isolation),
    load: () => database.load(),
    close: () => database.close(),
  };
}
