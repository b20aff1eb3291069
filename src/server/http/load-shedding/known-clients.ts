import type { FastifyRequest } from 'fastify';
import { bearerTokenIn, sessionTokenIn } from '../session.ts';
import { networkOf } from './networks.ts';

/** How many users and addresses are remembered; those used last. */
const MAX_REMEMBERED = 10_000;

/**
 * The clients that have had a valid session since the process began. They have a part of every capacity that strangers
 * cannot take.
 */
export class KnownClients {
  /** by the token of the session or of the `Authorization` header, so that no query is needed before a request may be refused */
  readonly #users = new Map<string, number>();
  readonly #networks = new Map<string, true>();

  /** The user of the request's session or token, as far as an earlier request has shown it; it may be over by now. */
  userOf({ headers }: FastifyRequest): number | undefined {
    const token = tokenIn(headers);
    return token ? this.#users.get(token) : undefined;
  }

  /** The client as `FairLimiter` has it: class, address, user. */
  pathOf({ ip, knownUserId }: FastifyRequest): readonly [string, string, string] {
    const network = networkOf(ip);
    const known = knownUserId !== undefined || this.#networks.has(network);
    return [classOf(known), network, String(knownUserId ?? '')];
  }

  /** Remembers the client of a request with a valid session. */
  remember({ ip, headers, signedIn }: FastifyRequest): void {
    const token = tokenIn(headers);
    if (signedIn && token) setLatest(this.#users, token, signedIn.userId);
    setLatest(this.#networks, networkOf(ip), true);
  }
}

function tokenIn({ authorization, cookie }: FastifyRequest['headers']): string | undefined {
  return bearerTokenIn(authorization) ?? (cookie && sessionTokenIn(cookie));
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
  if (map.size <= MAX_REMEMBERED) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
