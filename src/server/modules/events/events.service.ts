import * as texts from '#messages/service/events.ts';
import { signInFirst } from '#messages/service/http.ts';
import type { Message } from '#shared/messages/message.ts';
import type { WarningLog } from '#server/lib/warning-log.ts';
import type { Readable } from 'node:stream';
import { BackgroundLoop, UNTIL_WOKEN } from '#server/lib/background-loop.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { Caller } from '#server/http/route.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import { readLastPosition, readSequencedEntries } from '../history/history.service.ts';
import type { Presence } from '../presence/presence.service.ts';
import { EventStream } from './client-stream.ts';
import { RecentEntries } from './recent-entries.ts';
import { readVisibleStates } from './visible-state.ts';
import { publishPresence } from './presence-events.ts';

/** The maximum of streams per session (a browser has one), user and process. */
const MAX_PER_SESSION = 100;
const MAX_PER_USER = 500;
const MAX_PER_PROCESS = 5_000;
/** The interval of keep-alives, in milliseconds. */
const HEARTBEAT_INTERVAL = 15_000;
/** The interval in which sessions and rights are checked, and events read without a notification, in milliseconds. */
const POLL_INTERVAL = 1_000;
/** The same where notifications of other processes do not arrive. */
const SHORT_POLL_INTERVAL = 150;
/** How many entries are read at once, and sent at once to one client. */
const READ_BATCH = 2_000;
const SEND_BATCH = 200;

type VisibleStates = Awaited<ReturnType<typeof readVisibleStates>>;

interface Options {
  readonly database: Database;
  readonly definitions: Definitions;
  readonly presence: Presence;
  /** whether `wake` and `wakeViewers` are also called for changes by other processes */
  readonly receivesNotifications: () => boolean;
  readonly log: WarningLog;
  /**
   * milliseconds; up to a tenth less at random, so that streams do not end together. A limit is needed because TCP does
   * not report a client that disappeared
   */
  readonly longestStream: number;
}

/** The changes of this and other processes, as streams of server-sent events. */
export class Events {
  readonly #options: Options;
  readonly #streams = new Set<EventStream>();
  readonly #recent = new RecentEntries();
  readonly #loop: BackgroundLoop;
  readonly #presenceLoop: BackgroundLoop;
  readonly #heartbeatTimer: NodeJS.Timeout;
  #closed = false;

  constructor(options: Options) {
    const { database, presence, receivesNotifications, log } = options;
    this.#options = options;
    this.#loop = new BackgroundLoop({
      name: 'reading events',
      log,
      firstPause: UNTIL_WOKEN,
      run: () => this.#read(),
    });
    this.#presenceLoop = publishPresence(
      database,
      presence,
      this.#streams,
      receivesNotifications,
      log,
    );
    this.#heartbeatTimer = setInterval(() => {
      for (const stream of this.#streams) stream.sendHeartbeat();
    }, HEARTBEAT_INTERVAL);
  }

  /** the number of connected clients */
  get clients(): number {
    return this.#streams.size;
  }

  /**
   * Opens a stream for the caller, from now on or from the position of the client.
   * @param lastEventId the `id` of the last event that the client received
   * @param showsViewers whether it includes presence for the open records of the session
   * @throws {ApiError} 400 if the id is invalid; 429 and 503 if there are too many streams
   */
  async open(
    db: Transaction,
    { sessionId, userId }: Caller,
    lastEventId: string | null,
    showsViewers: boolean,
  ): Promise<Readable> {
    const { definitions, longestStream } = this.#options;
    requireRoomForStream(this.#streams, { sessionId, userId }, this.#closed);
    const last = await readLastPosition(db);
    const position = lastEventId === null ? last : positionOf(lastEventId, last);
    const visibleState = (await readVisibleStates(db, definitions, [sessionId])).get(sessionId);
    if (!visibleState) throw new ApiError('unauthenticated', signInFirst);
    const endsAt = performance.now() + longestStream * (1 - Math.random() / 10);
    return new EventStream(
      { sessionId, userId, endsAt, showsViewers, visibleState, position },
      (stream) => this.#onDemand(stream),
    );
  }

  /** Called when there may be new entries. */
  wake(): void {
    if (this.#streams.size > 0) this.#loop.wake();
  }

  /** Called when presence may have changed. */
  wakeViewers(): void {
    if (this.#streams.size > 0) this.#presenceLoop.wake();
  }

  /** Ends all streams and refuses others. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#heartbeatTimer);
    for (const stream of this.#streams) stream.end();
    await Promise.all([this.#loop.close(), this.#presenceLoop.close()]);
  }

  /**
   * Called each time a client reads; the first time it joins the others. The limits are checked again, because several
   * streams may have been opened at the same time; a client whose stream ends connects again and is refused then.
   */
  #onDemand(stream: EventStream): void {
    const streams = this.#streams;
    if (this.#closed) stream.end();
    else if (streams.has(stream)) this.#send(stream);
    else if (limitExceeded(streams, stream)) stream.end();
    else if (!stream.destroyed) {
      streams.add(stream);
      stream.once('close', () => streams.delete(stream));
      this.#loop.wake();
      this.#presenceLoop.wake();
    }
  }

  /** Reads the next entries, and sends them. @returns the pause until the next run, in milliseconds */
  async #read(): Promise<number> {
    const { database, definitions, receivesNotifications } = this.#options;
    const connected = new Set(this.#streams);
    if (connected.size === 0) {
      this.#recent.clear();
      return UNTIL_WOKEN;
    }
    const { from, read, visibleStates } = await database.read(async (db) => {
      const start = this.#recent.head ?? (await readLastPosition(db));
      const sessionIds = [...connected].map(({ sessionId }) => sessionId);
      return {
        from: start,
        read: await readSequencedEntries(db, start, READ_BATCH),
        visibleStates: await readVisibleStates(db, definitions, sessionIds),
      };
    });
    this.#recent.add(from, read);
    for (const stream of connected)
      if (this.#isUnchanged(stream, visibleStates)) this.#send(stream);
    if (read.upTo > from) return 0;
    return receivesNotifications() ? POLL_INTERVAL : SHORT_POLL_INTERVAL;
  }

  /** Sends a client the events that it has not received, as far as it accepts them. */
  #send(stream: EventStream): void {
    const head = this.#recent.head ?? Number.NEGATIVE_INFINITY;
    while (stream.hasDemand && stream.position < head && !stream.isCatchingUp) {
      const batch = this.#recent.after(stream.position, SEND_BATCH);
      if (batch) stream.sendChanges(batch, batch.at(-1)?.position ?? head);
      else void this.#catchUp(stream);
    }
    stream.flushPresence();
  }

  /** Reads older entries, which are not in the buffer, for one client. */
  async #catchUp(stream: EventStream): Promise<void> {
    const { database, definitions, log } = this.#options;
    stream.isCatchingUp = true;
    try {
      const { read, visibleStates } = await database.read(async (db) => ({
        read: await readSequencedEntries(db, stream.position, SEND_BATCH),
        visibleStates: await readVisibleStates(db, definitions, [stream.sessionId]),
      }));
      const { entries, upTo } = read;
      if (upTo === stream.position) throw new Error(`There is no position after ${upTo}.`);
      if (this.#isUnchanged(stream, visibleStates)) stream.sendChanges(entries, upTo);
    } catch (error) {
      log.warn({ err: error }, 'reading earlier events failed');
      // The client connects again and continues at its position.
      stream.destroy();
    }
    stream.isCatchingUp = false;
    this.#send(stream);
  }

  /**
   * Ends the stream if its session has ended, its user may see something else, or its maximum time is over. A client that
   * connects again rereads what it shows.
   */
  #isUnchanged(stream: EventStream, visibleStates: VisibleStates): boolean {
    const visibleState = visibleStates.get(stream.sessionId);
    if (
      visibleState?.version === stream.visibleState.version &&
      performance.now() < stream.endsAt
    ) {
      stream.visibleState = visibleState;
      return true;
    }
    this.#streams.delete(stream);
    stream.end();
    return false;
  }
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
function requireRoomForStream(
  streams: ReadonlySet<EventStream>,
  client: Pick<EventStream, 'sessionId' | 'userId'>,
  closed: boolean,
): void {
  if (closed) throw unavailable(texts.stopping);
  const exceeded = limitExceeded(streams, client);
  if (!exceeded) return;
  if (exceeded.of === 'process') throw unavailable(texts.tooManyClients);
  const message = { session: texts.tooManyOfSession, user: texts.tooManyOfUser }[exceeded.of];
  throw new ApiError('too_many_requests', message({ max: exceeded.max }), { retryAfter: 60 });
}

function unavailable(message: Message): ApiError {
  return new ApiError('unavailable', message, { retryAfter: 5 });
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
