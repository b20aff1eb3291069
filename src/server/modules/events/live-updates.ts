import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/database/database.ts';
import { DEFINITIONS_CHANGED, type Definitions } from '../definitions/definitions.service.ts';
import { openPresence, type Presence } from '../presence/presence.service.ts';
import { Events } from './events.service.ts';

/** The notification that a user has opened or closed a record. */
const PRESENCE_CHANGED = 'viewers';

/** What clients receive by push: changes of records, and presence. */
export interface LiveUpdates {
  readonly events: Events;
  readonly presence: Presence;
}

interface Parts {
  readonly database: Database;
  readonly definitions: Definitions;
  readonly config: Pick<Config, 'maxStreamSeconds'>;
}

/** Opens them until the app closes. Processes of one database notify each other. */
export function openLiveUpdates(
  app: FastifyInstance,
  { database, definitions, config }: Parts,
): LiveUpdates {
  const listener = database.listen((payload) => {
    if (payload === DEFINITIONS_CHANGED || payload === null) definitions.invalidate();
    if (payload !== PRESENCE_CHANGED) events.wake();
    if (payload === PRESENCE_CHANGED || payload === null) events.wakeViewers();
  });
  const presence = openPresence((db) => db.notify(PRESENCE_CHANGED));
  const events = new Events({
    database,
    definitions,
    presence,
    receivesNotifications: () => listener.isReceiving(),
    log: app.log,
    longestStream: config.maxStreamSeconds * 1000,
  });
  // Streams end before the server waits for its connections.
  app.addHook('preClose', () => events.close());
  app.addHook('onClose', () => listener.close());
  return { events, presence };
}
