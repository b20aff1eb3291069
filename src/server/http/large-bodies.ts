import * as texts from '#messages/service/http.ts';
import type { IncomingMessage } from 'node:http';
import { reserveMemory } from '#server/workers/memory-budget.ts';
import { ApiError } from '#shared/contract/errors.ts';

/** Bodies of more bytes wait in files until they are parsed. */
export const LARGE = 64 * 1024;
/** Bodies of more bytes wait until there is memory for their values, … */
const CHEAP = 2 * 1024;
/**
 * … and for what is made of them, which may take so many times their size: a record of a batch may be sent in 24 bytes, and
 * takes 2.5 KB until it is stored; the rest is garbage that is not collected yet.
 */
const EXPANSION = 400;

/** What ends the reservation of a request, or its wait. */
const reserved = new Map<IncomingMessage, () => void>();
/** Requests that are answered or whose clients have left: nothing would end their reservations. */
const ended = new WeakSet<IncomingMessage>();

/**
 * Waits until there is memory for a body and its values. The memory is given back with `releaseBodyMemory`.
 * @param length bytes
 * @throws {ApiError} 400 if the client disconnects before
 */
export async function reserveBodyMemory(raw: IncomingMessage, length: number): Promise<void> {
  if (length <= CHEAP) return;
  if (ended.has(raw)) throw new ApiError('malformed', texts.bodyIncomplete);
  const leaving = new AbortController();
  reserved.set(raw, () => leaving.abort(new ApiError('malformed', texts.bodyIncomplete)));
  reserved.set(raw, await reserveMemory(length * EXPANSION, leaving.signal));
}

/** Ends the reservation of a request; one that waits stops waiting. */
export function releaseBodyMemory(raw: IncomingMessage): void {
  ended.add(raw);
  reserved.get(raw)?.();
  reserved.delete(raw);
}
