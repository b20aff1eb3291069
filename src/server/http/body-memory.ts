import * as texts from '#messages/service/http.ts';
import type { IncomingMessage } from 'node:http';
import { reserveMemory } from '#server/workers/memory-budget.ts';
import { ApiError } from '#shared/contract/errors.ts';

/** Bodies of more bytes wait in files until they are parsed. */
export const LARGE_BODY_BYTES = 64 * 1024;
/** Memory is not reserved for bodies of up to this many bytes. */
const MAX_UNRESERVED_BYTES = 2 * 1024;
/**
 * Bytes of memory that are reserved for each byte of a body: for its values and the objects created from them. A record
 * of a batch may be sent in 24 bytes, and takes 2.5 KB until it is stored; the rest is garbage that is not collected
 * yet.
 */
const MEMORY_PER_BODY_BYTE = 400;

/** By request: ends its reservation, or its wait for one. */
const reservations = new Map<IncomingMessage, () => void>();
/** Requests that are answered, or whose clients have disconnected: a later reservation would never be released. */
const endedRequests = new WeakSet<IncomingMessage>();

/**
 * Waits until there is memory for a body and its values. `releaseBodyMemory` releases it.
 * @param length bytes
 * @throws {ApiError} 400 if the client disconnects before
 */
export async function reserveBodyMemory(raw: IncomingMessage, length: number): Promise<void> {
  if (length <= MAX_UNRESERVED_BYTES) return;
  if (endedRequests.has(raw)) throw new ApiError('malformed', texts.bodyIncomplete);
  const ended = new AbortController();
  reservations.set(raw, () => ended.abort(new ApiError('malformed', texts.bodyIncomplete)));
  reservations.set(raw, await reserveMemory(length * MEMORY_PER_BODY_BYTE, ended.signal));
}

/** Ends the reservation of a request; one that waits stops waiting. */
export function releaseBodyMemory(raw: IncomingMessage): void {
  endedRequests.add(raw);
  reservations.get(raw)?.();
  reservations.delete(raw);
}
