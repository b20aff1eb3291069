import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { mergeCounts } from './database/records/record-counts.ts';
import { openSearchIndexer } from './database/records/search-indexer.ts';
import { documentationRoutes } from './http/documentation-routes.ts';
import { nothingHere } from './http/error-answers.ts';
import { createFastify } from './http/fastify.ts';
import { keepHouse } from './http/housekeeping.ts';
import { BASE, isApiPath, pathOf } from './http/paths.ts';
import { openStoredAnswers } from './http/idempotency.ts';
import { registerRoutes, type RegisteredCall } from './http/register.ts';
import type { AnyRoute } from './http/route.ts';
import type { Service } from './http/service.ts';
import { findReservedPaths, refuseUnknown } from './http/unknown.ts';
import { openWebAdmin, WEB_DIR } from './http/web-admin.ts';
import { admitRequests } from './http/load-shedding/admission.ts';
import { startLoadMonitor } from './http/load-shedding/load-monitor.ts';
import { Metrics } from './http/monitoring/metrics.ts';
import { registerMonitoring } from './http/monitoring/monitoring-routes.ts';
import { describeProcess } from './http/monitoring/process-metrics.ts';
import { openReadiness } from './http/monitoring/readiness.ts';
import { describeLag } from './modules/history/lag.ts';
import { bulkEditRoutes } from './modules/bulk-edits/bulk-edits.routes.ts';
import { runBulkEdits } from './modules/bulk-edits/runner.ts';
import { catalogueRoutes } from './modules/collections/collections.routes.ts';
import { datasetRoutes } from './modules/datasets/datasets.routes.ts';
import type { Definitions } from './modules/definitions/definitions.service.ts';
import { documentRoutes } from './modules/documents/documents.routes.ts';
import { fileRoutes } from './modules/documents/files.routes.ts';
import { flagRoutes } from './modules/flags/flags.routes.ts';
import { readValuesAt } from './modules/history/history.service.ts';
import { openSealer } from './modules/history/sealer.ts';
import { openEvents } from './modules/events/events.service.ts';
import { eventRoutes } from './modules/events/events.routes.ts';
import { openFileStore, type FileStore } from './modules/files/file-store.ts';
import { queueRoutes } from './modules/queues/queues.routes.ts';
import { sessionRoutes } from './modules/accounts/sessions.routes.ts';
import {
  openSessions,
  sessionCookieName,
  sessionTokenIn,
} from './modules/accounts/sessions.service.ts';
import { slowDigest } from './modules/accounts/passwords.service.ts';
import { spreadsheetRoutes } from './modules/spreadsheets/spreadsheets.routes.ts';
import { suggestionRoutes } from './modules/suggestions/suggestions.routes.ts';
import { tableDeskRoutes } from './modules/datasets/analysis.routes.ts';
import { userRoutes } from './modules/accounts/users.routes.ts';
import { grantedAccess } from './modules/accounts/users.service.ts';
import { presenceRoutes } from './modules/presence/presence.routes.ts';
import { openPresence } from './modules/presence/presence.service.ts';
import { viewRoutes } from './modules/views/views.routes.ts';

export interface AppParts {
  readonly database: Database;
  readonly config: Config;
  readonly definitions: Definitions;
  /** by default that of the settings */
  readonly files?: FileStore;
  /** aborted when the process is to stop, some time before the service is closed */
  readonly stopping?: AbortSignal;
  /** the directory of the built web admin; by default that of the project */
  readonly webDir?: string;
  /** how long a stream of events lasts at most, in milliseconds, where that is not as usual */
  readonly longestStream?: number | undefined;
  /** routes beside the modules' own */
  readonly routes?: readonly AnyRoute[];
}

/** The notification that somebody has opened or closed a record. */
const PRESENCE_CHANGED = 'viewers';
const SECOND = 1000;
const HOUR = 60 * 60 * SECOND;

/** The whole service without a port. Closing it leaves the database open. */
export async function buildApp({
  database: ownDatabase,
  config,
  definitions,
  files = openFileStore(config),
  stopping = new AbortController().signal,
  webDir = WEB_DIR,
  longestStream,
  routes = [],
}: AppParts): Promise<FastifyInstance> {
  const sessions = openSessions({
    idle: Math.round(config.sessionIdleHours * HOUR),
    life: Math.round(config.sessionLifeDays * 24 * HOUR),
  });
  const calls: RegisteredCall[] = [];
  const refuse = async (request: FastifyRequest): Promise<never> => {
    if (isApiPath(pathOf(request.raw.url ?? ''))) return refuseUnknown(service, calls, request);
    throw nothingHere();
  };
  const app = createFastify(config, refuse);
  const sealer = openSealer(ownDatabase, app.log);
  // Those that close are called in reverse order: what writes ends before.
  app.addHook('onClose', () => sealer.close());
  const { database } = sealer;
  const service: Service = {
    database,
    modules: config,
    maxBodyBytes: config.maxBodyBytes,
    maxFileBytes: config.maxFileBytes,
    anonymousBodySeconds: config.anonymousBodySeconds,
    incomingDir: files.incomingDir,
    sessionCookieName,
    findSession: (db, token) => sessions.find(db, token),
    findArchive: (db, key) => definitions.findArchive(db, key),
    findTable: (db, guid) => definitions.findTable(db, guid),
    grantedAccess,
    storedAnswers: openStoredAnswers(config.maxStoredAnswerBytes, readValuesAt),
    slowDigest,
  };
  const metrics = new Metrics();
  const limits = {
    maxRequests: config.maxRequests,
    maxHeavyRequests: config.maxHeavyRequests,
    maxDelay: config.maxDelaySeconds * SECOND,
    maxWait: config.maxWaitSeconds * SECOND,
  };
  const loadMonitor = startLoadMonitor(limits, () => database.load());
  app.addHook('onClose', async () => loadMonitor.close());
  // Before anything else is done for a request.
  const { maxBodyBytes } = config;
  admitRequests(app, { limits, maxBodyBytes, sessionTokenIn, loadMonitor, metrics });
  const readiness = openReadiness(database);
  registerMonitoring(app, { config, readiness, metrics, stopping });
  describeProcess(metrics, { database, loadMonitor });
  describeLag(metrics, database);
  const listener = ownDatabase.listen((payload) => {
    if (payload !== PRESENCE_CHANGED) events.wake();
    if (payload === PRESENCE_CHANGED || payload === null) events.wakeViewers();
  });
  const viewers = openPresence((db) => db.notify(PRESENCE_CHANGED));
  const events = openEvents(
    database,
    definitions,
    viewers,
    () => listener.arrive(),
    app.log,
    longestStream,
  );
  sealer.onSealed(() => events.wake());
  const searchIndexer = openSearchIndexer(ownDatabase, app.log);
  // What changes records leaves an entry of the history.
  sealer.onSealed(() => searchIndexer.wake());
  app.addHook('onClose', () => searchIndexer.close());
  // Before the connections are waited for.
  app.addHook('preClose', () => events.close());
  app.addHook('onClose', () => listener.close());
  metrics.gauge({ name: 'indexdesk_event_clients', help: 'Clients that receive events.' }, () =>
    events.clients(),
  );
  const bulkEdits = runBulkEdits(database, definitions, app.log);
  app.addHook('onClose', () => bulkEdits.close());

  app.addHook('onRequest', async (request) => {
    if (!request.is404) return;
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads || isApiPath(pathOf(request.raw.url ?? ''))) await refuse(request);
  });
  const web = openWebAdmin(webDir, config);
  app.setNotFoundHandler((request, reply) => web.answer(request, reply));
  app.addHook('onListen', () => web.warm());

  await app.register(async (api) => {
    const isReserved = findReservedPaths(calls);
    api.addHook('onRequest', async (request) => {
      if (isReserved(request)) await refuse(request);
    });
    calls.push(
      ...registerRoutes(api, service, [
        ...sessionRoutes(sessions, BASE),
        ...userRoutes(),
        ...catalogueRoutes(definitions),
        ...documentRoutes(config),
        ...bulkEditRoutes(bulkEdits),
        ...spreadsheetRoutes(database),
        ...fileRoutes(files),
        ...datasetRoutes(config),
        ...tableDeskRoutes(),
        ...queueRoutes(definitions),
        ...flagRoutes(),
        ...eventRoutes(events),
        ...presenceRoutes(viewers),
        ...suggestionRoutes(),
        ...viewRoutes(),
        ...documentationRoutes(calls),
        ...routes,
      ]),
    );
  });

  const writing = new Set<Promise<void>>();
  app.addHook('onResponse', async ({ signedIn, log, routeOptions }) => {
    // To listen is not to use a session.
    if (!signedIn || routeOptions.config.cost === 'stream') return;
    const seen = sessions
      .seen(database, signedIn)
      .catch((error: unknown) => log.warn({ err: error }, 'a session was not prolonged'));
    writing.add(seen);
    void seen.finally(() => writing.delete(seen));
  });
  app.addHook('onClose', async () => {
    await Promise.all(writing);
  });
  const chores = [() => sessions.sweep(database), () => mergeCounts(ownDatabase)];
  keepHouse(app, service, chores, (before) => files.sweep(before));
  await app.ready();
  return app;
}
