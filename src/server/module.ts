import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import type { Housekeeping } from './http/housekeeping.ts';
import type { Metrics } from './http/monitoring/metrics.ts';
import type { Definitions } from './modules/definitions/definitions.service.ts';
import type { LiveUpdates } from './modules/events/live-updates.ts';
import type { FileStore } from './modules/files/file-store.ts';
import type { Sessions } from './modules/accounts/sessions.service.ts';

/** What the service shares among its modules. */
export interface Services {
  readonly config: Config;
  /** its writes wake the sequencer of the history */
  readonly database: Database;
  readonly definitions: Definitions;
  readonly files: FileStore;
  readonly sessions: Sessions;
  readonly liveUpdates: LiveUpdates;
  readonly metrics: Metrics;
  readonly housekeeping: Housekeeping;
}

/**
 * A subject of the service. It registers its calls (`app.addCalls`), its background loops, with an `onClose` hook that ends
 * them, its metrics and its housekeeping. What closes last is registered first.
 */
export type Module = (app: FastifyInstance, services: Services) => void;
