import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import type { Housekeeping } from './http/housekeeping.ts';
import type { Metrics } from './http/monitoring/metrics.ts';
import type { Definitions } from './modules/definitions/definitions.service.ts';
import type { LiveUpdates } from './modules/events/live-updates.ts';
import type { FileStore } from './modules/files/file-store.ts';
import type { MalwareScanner } from './modules/files/malware-scanner.ts';
import type { Sequencer } from './modules/history/sequencer.ts';
import type { Refusals } from './modules/history/refusals.ts';
import type { AccessTokens } from './modules/accounts/access-tokens.service.ts';
import type { CurrentPasswords } from './modules/accounts/current-password.service.ts';
import type { FactorProofs } from './modules/factors/proofs.ts';
import type { Sessions } from './modules/accounts/sessions.service.ts';

/** What the service provides to its modules. */
export interface Services {
  readonly config: Config;
  /** its writes wake the sequencer of the history */
  readonly database: Database;
  readonly definitions: Definitions;
  readonly files: FileStore;
  /** null: none is set */
  readonly scanner: MalwareScanner | null;
  readonly sessions: Sessions;
  readonly accessTokens: AccessTokens;
  readonly factorProofs: FactorProofs;
  readonly currentPasswords: CurrentPasswords;
  readonly refusals: Refusals;
  /** reports when changes have their positions in the history */
  readonly sequencer: Pick<Sequencer, 'onSequenced'>;
  readonly liveUpdates: LiveUpdates;
  readonly metrics: Metrics;
  readonly housekeeping: Housekeeping;
  /** how long a call waits for the job that changes its definition, in milliseconds; then it is answered with the job */
  readonly jobWait: number;
}

/**
 * A subject of the service. It registers its calls (`app.addCalls`), its background loops, with an `onClose` hook that
 * ends them, its metrics and its housekeeping. Hooks that must run last are registered first.
 */
export type Module = (app: FastifyInstance, services: Services) => void | Promise<void>;
