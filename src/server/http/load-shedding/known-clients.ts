import type { FastifyRequest } from 'fastify';
import { bearerTokenIn, sessionTokenIn } from '../session.ts';
import { networkOf } from '#server/lib/networks.ts';

/** How many users and addresses are remembered; the least recently used are dropped. */
const MAX_REMEMBERED = 10_000;

/** The clients that have had a valid session since the process started. A part of every capacity is reserved for them. */
export class KnownClients {
  /** by the token of the session or of the `Authorization` header, so that rejecting a request needs no query */
  readonly #users = new Map<string, number>();
  readonly #networks = new Map<string, true>();

  /** The user of the request's session or token, if an earlier request has shown it; the session may have ended since. */
  userOf({ headers }: FastifyRequest): number | undefined {
    const token = tokenOf(headers);
    return token ? this.#users.get(token) : undefined;
  }

  /** The client's path for `FairLimiter`: class, address, user. */
  pathOf({ ip, knownUserId }: FastifyRequest): readonly [string, string, string] {
    const network = networkOf(ip);
    const known = knownUserId !== undefined || this.#networks.has(network);
    return [clientClass(known), network, String(knownUserId ?? '')];
  }

  /** Remembers the client of a request with a valid session. */
  remember({ ip, headers, signedIn }: FastifyRequest): void {
    const token = tokenOf(headers);
    if (signedIn && token) setMostRecent(this.#users, token, signedIn.userId);
    setMostRecent(this.#networks, networkOf(ip), true);
  }
}

function tokenOf({ authorization, cookie }: FastifyRequest['headers']): string | undefined {
  return bearerTokenIn(authorization) ?? (cookie && sessionTokenIn(cookie));
}

/** The largest group of a client's path: unknown clients cannot take the share of known ones. */
export function clientClass(known: boolean): string {
  return known ? 'known' : 'unknown';
}

export function isKnownClientPath([group]: readonly string[]): boolean {
  return group === clientClass(true);
}

/** Sets a key as the most recently used, and removes the least recently used one if there are too many. */
function setMostRecent<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= MAX_REMEMBERED) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
