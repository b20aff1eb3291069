import * as texts from '#messages/service/events.ts';
import { signInFirst } from '#messages/service/http.ts';
import type { Message } from '#shared/messages/message.ts';
import type { WarningLog } from '#server/warning-log.ts';
import type { Readable } from 'node:stream';
import { BackgroundLoop, UNTIL_WOKEN } from '#server/background-loop.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { Caller } from '#server/http/route.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import {
  readLastPosition,
  readSequencedEntries,
  type SequencedEntry,
} from '../history/history.service.ts';
import type { Presence } from '../presence/presence.service.ts';
import { EventStream } from './client-stream.ts';
import { readVisibleStates } from './visible-state.ts';
import { publishPresence } from './presence-events.ts';

/** The maximum of streams per session (a browser has one), user and process. */
const MAX_PER_SESSION = 10;
const MAX_PER_USER = 50;
const MAX_PER_PROCESS = 5_000;
/** The interval of keep-alives, in milliseconds. */
const HEARTBEAT_INTERVAL = 15_000;
/** The interval in which sessions and rights are checked, and events read without a notification, in milliseconds. */
const POLL_INTERVAL = 1_000;
/** The same where notifications of other processes do not arrive. */
const SHORT_POLL_INTERVAL = 150;
/** How many entries are read at once, sent at once to one client, and cached for all clients. */
const READ_BATCH = 2_000;
const SEND_BATCH = 200;
const CACHE_SIZE = 10_000;

/** The changes of this and other processes, as streams of server-sent events. */
export interface Events {
  /**
   * Opens a stream for the caller, from now on or from the position of the client.
   * @param lastEventId the `id` of the last event that the client received
   * @param showsViewers whether it includes presence for the open records of the session
   * @throws {ApiError} 400 if the id is invalid; 429 and 503 if there are too many streams
   */
  open(
    db: Transaction,
    caller: Caller,
    lastEventId: string | null,
    showsViewers: boolean,
  ): Promise<Readable>;
  /** Called when there may be new entries. */
  wake(): void;
  /** Called when presence may have changed. */
  wakeViewers(): void;
  /** the number of connected clients */
  clients(): number;
  /** Ends all streams and refuses others. */
  close(): Promise<void>;
}

/**
 * @param receivesNotifications whether `wake` and `wakeViewers` are also called for changes by other processes
 * @param longestStream milliseconds; up to a tenth less at random, so that streams do not end together. A limit is needed
 *   because TCP does not report a client that disappeared
 */
export function openEvents(
  database: Database,
  definitions: Definitions,
  viewers: Presence,
  receivesNotifications: () => boolean,
  log: WarningLog,
  longestStream: number,
): Events {
  const streams = new Set<EventStream>();
  /** all entries after the position `cacheStart` up to `head`, in order; `head` is -Infinity while there is no client */
  let cached: SequencedEntry[] = [];
  let cacheStart = 0;
  let head = Number.NEGATIVE_INFINITY;
  let closed = false;
  const heartbeatTimer = setInterval(() => {
    for (const stream of streams) stream.sendHeartbeat();
  }, HEARTBEAT_INTERVAL);

  const presenceLoop = publishPresence(database, viewers, streams, receivesNotifications, log);

  /** Sends a client the events that it has not received, as far as it accepts them. */
  const send = (stream: EventStream) => {
    while (stream.hasDemand && stream.position < head && !stream.isCatchingUp) {
      if (stream.position < cacheStart) void catchUp(stream);
      else {
        const next = cached.findLastIndex(({ position }) => position <= stream.position) + 1;
        const batch = cached.slice(next, next + SEND_BATCH);
        stream.sendChanges(batch, batch.at(-1)?.position ?? head);
      }
    }
    stream.flushPresence();
  };

  /** Reads entries that are no longer cached for one client. */
  const catchUp = async (stream: EventStream) => {
    stream.isCatchingUp = true;
    try {
      const { read, visibleStates } = await database.read(async (db) => ({
        read: await readSequencedEntries(db, stream.position, SEND_BATCH),
        visibleStates: await readVisibleStates(db, definitions, [stream.sessionId]),
      }));
      const { entries, upTo } = read;
      if (upTo === stream.position) throw new Error(`There is no position after ${upTo}.`);
      if (isUnchanged(stream, visibleStates)) stream.sendChanges(entries, upTo);
    } catch (error) {
      log.warn({ err: error }, 'reading earlier events failed');
      // The client connects again and continues at its position.
      stream.destroy();
    }
    stream.isCatchingUp = false;
    send(stream);
  };

  /** Ends the stream if its session has ended or has other rights, or its maximum time is over. */
  const isUnchanged = (
    stream: EventStream,
    visibleStates: Awaited<ReturnType<typeof readVisibleStates>>,
  ): boolean => {
    const visibleState = visibleStates.get(stream.sessionId);
    if (visibleState?.rights === stream.visibleState.rights && performance.now() < stream.endsAt) {
      stream.visibleState = visibleState;
      return true;
    }
    streams.delete(stream);
    stream.end();
    return false;
  };

  const loop = new BackgroundLoop({
    name: 'reading events',
    log,
    firstPause: UNTIL_WOKEN,
    async run() {
      const connected = new Set(streams);
      if (connected.size === 0) {
        cached = [];
        head = Number.NEGATIVE_INFINITY;
        return UNTIL_WOKEN;
      }
      const { from, read, visibleStates } = await database.read(async (db) => {
        const start = head < 0 ? await readLastPosition(db) : head;
        const sessionIds = [...connected].map(({ sessionId }) => sessionId);
        return {
          from: start,
          read: await readSequencedEntries(db, start, READ_BATCH),
          visibleStates: await readVisibleStates(db, definitions, sessionIds),
        };
      });
      if (head < 0) cacheStart = from;
      const all = [...cached, ...read.entries];
      cached = all.slice(-CACHE_SIZE);
      if (all.length > CACHE_SIZE) cacheStart = all.at(-CACHE_SIZE - 1)?.position ?? cacheStart;
      head = read.upTo;
      for (const stream of connected) if (isUnchanged(stream, visibleStates)) send(stream);
      if (read.upTo > from) return 0;
      return receivesNotifications() ? POLL_INTERVAL : SHORT_POLL_INTERVAL;
    },
  });

  /**
   * Called each time a client reads; the first time it joins the others. The limits are checked again, because several
   * streams may have been opened at the same time; a client whose stream ends connects again and is refused then.
   */
  const onDemand = (stream: EventStream) => {
    if (closed) stream.end();
    else if (streams.has(stream)) send(stream);
    else if (limitExceeded(streams, stream)) stream.end();
    else if (!stream.destroyed) {
      streams.add(stream);
      stream.once('close', () => streams.delete(stream));
      loop.wake();
      presenceLoop.wake();
    }
  };

  return {
    async open(db, { sessionId, userId }, lastEventId, showsViewers) {
      refuseTooMany(streams, { sessionId, userId }, closed);
      const last = await readLastPosition(db);
      const position = lastEventId === null ? last : positionOf(lastEventId, last);
      const visibleState = (await readVisibleStates(db, definitions, [sessionId])).get(sessionId);
      if (!visibleState) throw new ApiError('unauthenticated', signInFirst);
      const endsAt = performance.now() + longestStream * (1 - Math.random() / 10);
      return new EventStream(
        { sessionId, userId, endsAt, showsViewers, visibleState, position },
        onDemand,
      );
    },
    wake: () => {
      if (streams.size > 0) loop.wake();
    },
    wakeViewers: () => {
      if (streams.size > 0) presenceLoop.wake();
    },
    clients: () => streams.size,
    async close() {
      closed = true;
      clearInterval(heartbeatTimer);
      for (const stream of streams) stream.end();
      await Promise.all([loop.close(), presenceLoop.close()]);
    },
  };
}

/** @throws {ApiError} 400 if it is not an event's id, or not one of this database */
function positionOf(lastEventId: string, last: number): number {
  const position = /^[0-9]{1,15}$/.test(lastEventId) ? Number(lastEventId) : Number.NaN;
  if (!(position <= last)) {
    throw new ApiError('malformed', {
      lastEventId: [texts.eventIdUnknown],
    });
  }
  return position;
}

/** @throws {ApiError} 503 while the service stops; 503 and 429 if there are too many streams */
function refuseTooMany(
  streams: ReadonlySet<EventStream>,
  client: Pick<EventStream, 'sessionId' | 'userId'>,
  closed: boolean,
): void {
  if (closed) throw unavailable(texts.stopping);
  const exceeded = limitExceeded(streams, client);
  if (!exceeded) return;
  if (exceeded.of === 'process') throw unavailable(texts.tooManyClients);
  const message = { session: texts.tooManyOfSession, user: texts.tooManyOfUser }[exceeded.of];
  throw new ApiError('too_many_requests', message({ max: exceeded.max }), {
    headers: { 'retry-after': '60' },
  });
}

function unavailable(message: Message): ApiError {
  return new ApiError('unavailable', message, { headers: { 'retry-after': '5' } });
}

/** The limit that one more stream of a client would exceed, if any. */
function limitExceeded(
  streams: ReadonlySet<EventStream>,
  { sessionId, userId }: Pick<EventStream, 'sessionId' | 'userId'>,
) {
  const ofUser = [...streams].filter((stream) => stream.userId === userId);
  const ofSession = ofUser.filter((stream) => stream.sessionId === sessionId);
  const limits = [
    { of: 'process', max: MAX_PER_PROCESS, count: streams.size },
    { of: 'session', max: MAX_PER_SESSION, count: ofSession.length },
    { of: 'user', max: MAX_PER_USER, count: ofUser.length },
  ] as const;
  return limits.find(({ max, count }) => count >= max);
}
