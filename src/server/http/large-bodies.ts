import * as texts from '#messages/service/http.ts';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '#shared/contract/errors.ts';

/** Bodies of more bytes are parsed one at a time: their values take several times their size in memory. */
export const LARGE = 1024 * 1024;

interface Waiting {
  readonly raw: IncomingMessage;
  readonly begin: () => void;
  readonly leave: () => void;
}

/** The request whose large body is being parsed or answered. */
let current: IncomingMessage | null = null;
const waiting: Waiting[] = [];

/**
 * Waits until no other large body is being parsed or answered. The turn ends with `releaseLargeTurn`.
 * @throws {ApiError} 400 if the client disconnects before
 */
export async function acquireLargeTurn(raw: IncomingMessage): Promise<void> {
  if (current === null) {
    current = raw;
    return;
  }
  await new Promise<void>((begin, reject) => {
    const leave = () => reject(new ApiError('malformed', texts.bodyIncomplete));
    waiting.push({ raw, begin, leave });
  });
}

/** Ends the request's turn and starts the next large body; a waiting request stops waiting. */
export function releaseLargeTurn(raw: IncomingMessage): void {
  if (raw !== current) {
    const place = waiting.findIndex((one) => one.raw === raw);
    if (place >= 0) waiting.splice(place, 1)[0]?.leave();
    return;
  }
  const next = waiting.shift();
  current = next?.raw ?? null;
  next?.begin();
}
