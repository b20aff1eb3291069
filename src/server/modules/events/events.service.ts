import type { Readable } from 'node:stream';
import type { Database, Transaction } from '#server/database/database.ts';
import type { Caller } from '#server/http/route.ts';
import { ApiError } from '#shared/errors.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import {
  readLastPosition,
  readPlacedEntries,
  type PlacedEntry,
} from '../history/history.service.ts';
import type { Presence } from '../presence/presence.service.ts';
import { EventStream } from './event-stream.ts';
import { readVisibleStates } from './visible-state.ts';
import { publishPresence } from './presence-events.ts';

/** The most streams of one session (one browser has one), of one person, and of a process. */
const MOST_OF_SESSION = 10;
const MOST_OF_USER = 50;
const MOST_OF_PROCESS = 5_000;
/** How often each stream says that it lives, in milliseconds. */
const BEAT_EVERY = 15_000;
/** How often it is looked whether sessions and rights are as they were, and for what nobody has told of. */
const LOOK_EVERY = 1_000;
/** The same where other processes seal and do not tell of it. */
const LOOK_OFTEN = 150;
/**
 * How long a stream lasts at most, in milliseconds; by chance up to a tenth less, so that not all end together. The
 * client comes back to where it was, if there still is one: nobody is told of one that went without a word, or that
 * takes nothing while the kernel still has room for what it is sent.
 */
const LONGEST_STREAM = 10 * 60_000;
/** How many entries are read at once, told at once to one client, and kept for all. */
const READ_AT_ONCE = 2_000;
const TOLD_AT_ONCE = 200;
const KEPT = 10_000;

interface Log {
  warn(about: unknown, message: string): void;
}

/** The changes of this and other processes, as streams of server-sent events. */
export interface Events {
  /**
   * A stream for the caller, from now on or from where a client was.
   * @param lastEventId the `id` of the last event it was told of
   * @param showsViewers whether it is told, too, who else has open what the session has open
   * @throws {ApiError} 400 where that is none; 429 and 503 where there are too many streams
   */
  open(
    db: Transaction,
    caller: Caller,
    lastEventId: string | null,
    showsViewers: boolean,
  ): Promise<Readable>;
  /** Called when there may be something new. */
  wake(): void;
  /** Called when somebody may have begun or ended to look at a record. */
  wakeViewers(): void;
  /** how many clients are connected */
  clients(): number;
  /** Ends all streams and refuses others. */
  close(): Promise<void>;
}

/**
 * @param toldOfOthers whether `wake` and `wakeViewers` are called for what other processes do
 * @param longestStream milliseconds
 */
export function openEvents(
  database: Database,
  definitions: Definitions,
  viewers: Presence,
  toldOfOthers: () => boolean,
  log: Log,
  longestStream = LONGEST_STREAM,
): Events {
  const streams = new Set<EventStream>();
  /** the newest entries, one after the other, up to `head`, which is nowhere while there is no client */
  let kept: PlacedEntry[] = [];
  let head = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;
  let again = false;
  let closed = false;
  let lookTimer: NodeJS.Timeout | undefined;
  const beatTimer = setInterval(() => {
    for (const stream of streams) stream.beat();
  }, BEAT_EVERY);

  const viewerNews = publishPresence(database, viewers, streams, toldOfOthers, log);

  /** Tells a client what it has not heard yet, as far as it takes it. */
  const tell = (stream: EventStream) => {
    while (stream.wants && stream.position < head && !stream.catchingUp) {
      const first = kept[0]?.position ?? head + 1;
      if (stream.position + 1 < first) void catchUp(stream);
      else {
        const at = stream.position + 1 - first;
        stream.tell(kept.slice(at, at + TOLD_AT_ONCE));
      }
    }
    stream.showRest();
  };

  /** What is kept no more is read for the client alone. */
  const catchUp = async (stream: EventStream) => {
    stream.catchingUp = true;
    try {
      const { entries, sights } = await database.read(async (db) => ({
        entries: await readPlacedEntries(db, stream.position, TOLD_AT_ONCE),
        sights: await readVisibleStates(db, definitions, [stream.sessionId]),
      }));
      if (entries.length === 0) throw new Error(`There are no entries behind ${stream.position}.`);
      if (isAsBefore(stream, sights)) stream.tell(entries);
    } catch (error) {
      log.warn({ err: error }, 'events of before were not read');
      // The client comes back to where it was.
      stream.destroy();
    }
    stream.catchingUp = false;
    tell(stream);
  };

  /** Ends the stream where its session is over or has other rights, or it has lasted long enough. */
  const isAsBefore = (
    stream: EventStream,
    sights: Awaited<ReturnType<typeof readVisibleStates>>,
  ): boolean => {
    const sight = sights.get(stream.sessionId);
    if (sight?.rights === stream.sight.rights && performance.now() < stream.endsAt) {
      stream.sight = sight;
      return true;
    }
    streams.delete(stream);
    stream.end();
    return false;
  };

  const look = async () => {
    do {
      again = false;
      const asked = new Set(streams);
      try {
        const { from, entries, sights } = await database.read(async (db) => {
          const start = head < 0 ? await readLastPosition(db) : head;
          const sessionIds = [...asked].map(({ sessionId }) => sessionId);
          return {
            from: start,
            entries: await readPlacedEntries(db, start, READ_AT_ONCE),
            sights: await readVisibleStates(db, definitions, sessionIds),
          };
        });
        kept = [...kept, ...entries].slice(-KEPT);
        head = entries.at(-1)?.position ?? from;
        again ||= entries.length > 0;
        for (const stream of streams) {
          // One that has joined meanwhile has its turn in the next round.
          if (!asked.has(stream)) again = true;
          else if (isAsBefore(stream, sights)) tell(stream);
        }
      } catch (error) {
        log.warn({ err: error }, 'events were not read');
      }
    } while (again && streams.size > 0);
    looking = undefined;
    clearTimeout(lookTimer);
    if (closed) return;
    if (streams.size > 0) lookTimer = setTimeout(wake, toldOfOthers() ? LOOK_EVERY : LOOK_OFTEN);
    else {
      kept = [];
      head = Number.NEGATIVE_INFINITY;
    }
  };
  const wake = () => {
    if (streams.size === 0 || closed) return;
    again = true;
    looking ??= look();
  };

  /** Called each time a client takes something; the first time it joins the others. */
  const onWanted = (stream: EventStream) => {
    if (closed) stream.end();
    else if (streams.has(stream)) tell(stream);
    else if (!stream.destroyed) {
      streams.add(stream);
      stream.once('close', () => streams.delete(stream));
      wake();
      viewerNews.wake();
    }
  };

  return {
    async open(db, { sessionId, userId }, lastEventId, showsViewers) {
      refuseTooMany(streams, sessionId, userId, closed);
      const last = await readLastPosition(db);
      const position = lastEventId === null ? last : positionOf(lastEventId, last);
      const sight = (await readVisibleStates(db, definitions, [sessionId])).get(sessionId);
      if (!sight) throw new ApiError('unauthenticated', 'Sign in first.');
      const endsAt = performance.now() + longestStream * (1 - Math.random() / 10);
      return new EventStream(
        { sessionId, userId, endsAt, showsViewers, sight, position },
        onWanted,
      );
    },
    wake,
    wakeViewers: () => viewerNews.wake(),
    clients: () => streams.size,
    async close() {
      closed = true;
      clearInterval(beatTimer);
      clearTimeout(lookTimer);
      for (const stream of streams) stream.end();
      await Promise.all([looking, viewerNews.close()]);
    },
  };
}

/** @throws {ApiError} 400 where it is no event's id, or none of this database's */
function positionOf(lastEventId: string, last: number): number {
  const position = /^[0-9]{1,15}$/.test(lastEventId) ? Number(lastEventId) : Number.NaN;
  if (!(position <= last)) {
    throw new ApiError('malformed', {
      lastEventId: ['This is not the id of an event of this service.'],
    });
  }
  return position;
}

function refuseTooMany(
  streams: ReadonlySet<EventStream>,
  sessionId: string,
  userId: number,
  closed: boolean,
): void {
  if (closed || streams.size >= MOST_OF_PROCESS) {
    throw new ApiError(
      'unavailable',
      closed ? 'The service is stopping.' : 'Too many clients are told of changes already.',
      { headers: { 'retry-after': '5' } },
    );
  }
  refuseAbove(MOST_OF_SESSION, 'A session', streams, (stream) => stream.sessionId === sessionId);
  refuseAbove(MOST_OF_USER, 'A person', streams, (stream) => stream.userId === userId);
}

function refuseAbove(
  most: number,
  who: string,
  streams: ReadonlySet<EventStream>,
  isOwn: (stream: EventStream) => boolean,
): void {
  let own = 0;
  for (const stream of streams) if (isOwn(stream)) own += 1;
  if (own < most) return;
  throw new ApiError('too_many_requests', `${who} has at most ${most} streams of events at once.`, {
    headers: { 'retry-after': '60' },
  });
}
