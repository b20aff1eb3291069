import type { FastifyRequest } from 'fastify';
import { networkOf } from './networks.ts';

/** How many users and addresses are remembered; those used last. */
const MOST_REMEMBERED = 10_000;
/** A longer Cookie header is not remembered. */
const MAX_COOKIE_LENGTH = 4_096;

/**
 * The clients that have had a valid session since the process began. They have a part of every capacity that strangers
 * cannot take.
 */
export class KnownClients {
  /** users by Cookie header: comparing it costs less than reading the session before the request may be refused */
  readonly #users = new Map<string, number>();
  readonly #networks = new Map<string, true>();

  /** The client as `FairLimiter` has it: class, address, user. */
  pathOf({ ip, headers }: FastifyRequest): readonly [string, string, string] {
    const network = networkOf(ip);
    const user = headers.cookie === undefined ? undefined : this.#users.get(headers.cookie);
    const known = user !== undefined || this.#networks.has(network);
    return [classOf(known), network, String(user ?? '')];
  }

  /** Remembers the client of a request with a valid session. */
  remember({ ip, headers: { cookie }, signedIn }: FastifyRequest): void {
    if (signedIn && cookie !== undefined && cookie.length <= MAX_COOKIE_LENGTH) {
      setLatest(this.#users, cookie, signedIn.userId);
    }
    setLatest(this.#networks, networkOf(ip), true);
  }
}

/** The largest group of clients in a path: strangers cannot take the part of those who are known. */
export function classOf(known: boolean): string {
  return known ? 'known' : 'stranger';
}

export function isKnown([group]: readonly string[]): boolean {
  return group === classOf(true);
}

/** Sets a key as the one used last, and removes the one unused for longest where there are too many. */
function setLatest<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= MOST_REMEMBERED) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
