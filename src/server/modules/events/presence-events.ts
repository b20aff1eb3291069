import type { WarningLog } from '#server/lib/warning-log.ts';
import { BackgroundLoop, UNTIL_WOKEN } from '#server/lib/background-loop.ts';
import type { Database } from '#server/database/database.ts';
import type { Presence } from '../presence/presence.service.ts';
import type { EventStream } from './client-stream.ts';

/** The pause before each read, in milliseconds, so that one read serves several changes. */
const WAKE_DELAY = 50;
/** How often presence is read to detect users who left without a request, in milliseconds. */
const POLL_INTERVAL = 1_000;
/** The same if this process receives no notifications from others. */
const SHORT_POLL_INTERVAL = 300;

/**
 * Sends presence to the streams that requested it.
 * @param receivesNotifications whether `wake` is also called for changes by other processes
 */
export function publishPresence(
  database: Pick<Database, 'read'>,
  presence: Presence,
  streams: ReadonlySet<EventStream>,
  receivesNotifications: () => boolean,
  log: WarningLog,
): BackgroundLoop {
  return new BackgroundLoop({
    name: 'reading who has which record open',
    log,
    firstPause: UNTIL_WOKEN,
    wakeDelay: WAKE_DELAY,
    async run() {
      const subscribed = [...streams].filter(({ showsViewers }) => showsViewers);
      if (subscribed.length === 0) return UNTIL_WOKEN;
      const sessionIds = new Set(subscribed.map(({ sessionId }) => sessionId));
      const records = await database.read((db) => presence.openTo(db, sessionIds));
      const ofSession = Map.groupBy(records, ({ sessionId }) => sessionId);
      for (const stream of subscribed) stream.sendPresence(ofSession.get(stream.sessionId) ?? []);
      return receivesNotifications() ? POLL_INTERVAL : SHORT_POLL_INTERVAL;
    },
  });
}
