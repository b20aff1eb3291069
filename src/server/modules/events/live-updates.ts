import type { FastifyInstance } from 'fastify';
import type { Database } from '#server/database/database.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import { openPresence, type Presence } from '../presence/presence.service.ts';
import { openEvents, type Events } from './events.service.ts';

/** The notification that somebody has opened or closed a record. */
const PRESENCE_CHANGED = 'viewers';

/** What clients receive without asking: changes of records, and who has them open. */
export interface LiveUpdates {
  readonly events: Events;
  readonly presence: Presence;
}

interface Parts {
  readonly database: Database;
  readonly definitions: Definitions;
  /** milliseconds that a stream of events lasts at most, where that is not as usual */
  readonly longestStream: number | undefined;
}

/** Opens them until the app closes. Processes of one database notify each other. */
export function openLiveUpdates(
  app: FastifyInstance,
  { database, definitions, longestStream }: Parts,
): LiveUpdates {
  const listener = database.listen((payload) => {
    if (payload !== PRESENCE_CHANGED) events.wake();
    if (payload === PRESENCE_CHANGED || payload === null) events.wakeViewers();
  });
  const presence = openPresence((db) => db.notify(PRESENCE_CHANGED));
  const events = openEvents(
    database,
    definitions,
    presence,
    () => listener.arrive(),
    app.log,
    longestStream,
  );
  // Streams end before the server waits for its connections.
  app.addHook('preClose', () => events.close());
  app.addHook('onClose', () => listener.close());
  return { events, presence };
}
