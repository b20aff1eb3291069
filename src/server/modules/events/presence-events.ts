import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '#server/database/database.ts';
import type { Presence } from '../presence/presence.service.ts';
import type { EventStream } from './event-stream.ts';

/** The pause between two looks, in milliseconds, however many come and go meanwhile. */
const REST = 50;
/** How often it is looked for those who went without a word, in milliseconds. */
const LOOK_EVERY = 1_000;
/** The same where nobody tells of what happens in other processes. */
const LOOK_OFTEN = 300;

/**
 * Tells the streams that have asked for it who else has open what their sessions have open.
 * @param toldOfOthers whether `wake` is called for what other processes do
 */
export function publishPresence(
  database: Pick<Database, 'read'>,
  viewers: Presence,
  streams: ReadonlySet<EventStream>,
  toldOfOthers: () => boolean,
  log: { warn(about: unknown, message: string): void },
) {
  let timer: NodeJS.Timeout | undefined;
  let due = Number.POSITIVE_INFINITY;
  let restedAt = 0;
  let looking: Promise<void> | undefined;
  let again = false;
  let closed = false;

  const look = async () => {
    const asking = [...streams].filter(({ showsViewers }) => showsViewers);
    if (asking.length === 0) return;
    const sessionIds = new Set(asking.map(({ sessionId }) => sessionId));
    try {
      const records = await database.read((db) => viewers.openTo(db, sessionIds));
      const ofSession = Map.groupBy(records, ({ sessionId }) => sessionId);
      for (const stream of asking) stream.show(ofSession.get(stream.sessionId) ?? []);
    } catch (error) {
      log.warn({ err: error }, 'viewers were not read');
    }
    lookIn(toldOfOthers() ? LOOK_EVERY : LOOK_OFTEN);
  };
  const run = async () => {
    due = Number.POSITIVE_INFINITY;
    again = false;
    await look();
    looking = undefined;
    restedAt = performance.now() + REST;
    if (again) wake();
  };
  // It is woken within a transaction, too, and is no part of that.
  const runOutside = AsyncLocalStorage.bind(() => {
    looking ??= run();
  });
  const lookIn = (milliseconds: number) => {
    const at = performance.now() + milliseconds;
    if (closed || at >= due) return;
    clearTimeout(timer);
    due = at;
    timer = setTimeout(runOutside, milliseconds);
  };
  const wake = () => {
    if (looking) again = true;
    else if (streams.size > 0) lookIn(Math.max(0, restedAt - performance.now()));
  };
  return {
    wake,
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
