import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { createFastify } from './http/fastify.ts';
import { Housekeeping } from './http/housekeeping.ts';
import { StoredAnswers } from './http/idempotency.ts';
import { shedLoad } from './http/load-shedding/load-shedding.ts';
import { Metrics } from './http/monitoring/metrics.ts';
import { registerMonitoring } from './http/monitoring/monitoring.ts';
import { documentationRoutes } from './http/openapi/documentation-routes.ts';
import { registerOpenApi } from './http/openapi/openapi.ts';
import { addRequestPipeline } from './http/request-pipeline.ts';
import type { AnyRoute } from './http/route.ts';
import type { HttpServices } from './http/http-services.ts';
import { rejectUnmatched } from './http/unmatched-requests.ts';
import { registerWebAdmin, webFolderOf } from './http/web-admin.ts';
import type { Module, Services } from './module.ts';
import { accounts } from './modules/accounts/accounts.module.ts';
import { openCurrentPasswords } from './modules/accounts/current-password.service.ts';
import { slowDigest } from './modules/passwords/passwords.service.ts';
import { openAccessTokens } from './modules/accounts/access-tokens.service.ts';
import { openPasswordChecks } from './modules/accounts/password-checks.service.ts';
import { openSessions } from './modules/accounts/sessions.service.ts';
import { audit } from './modules/audit/audit.module.ts';
import { openRefusals, type Refusals } from './modules/history/refusals.ts';
import { bulkEdits } from './modules/bulk-edits/bulk-edits.module.ts';
import { checks } from './modules/checks/checks.module.ts';
import { mergeRoutes } from './modules/merges/merges.routes.ts';
import { collectionRoutes } from './modules/collections/collections.routes.ts';
import { datasetRoutes } from './modules/datasets/datasets.routes.ts';
import { definitionChanges } from './modules/definition-changes/definition-changes.module.ts';
import type { Definitions } from './modules/definitions/definitions.service.ts';
import { documents } from './modules/documents/documents.module.ts';
import { events } from './modules/events/events.module.ts';
import { openLiveUpdates } from './modules/events/live-updates.ts';
import { fileAnalysisRoutes } from './modules/file-analysis/file-analysis.routes.ts';
import type { FileStore } from './modules/files/file-store.ts';
import { MalwareScanner } from './modules/files/malware-scanner.ts';
import { openFileStore } from './modules/files/open-file-store.ts';
import { scanUploads } from './modules/files/upload-scan.ts';
import { flagRoutes } from './modules/flags/flags.routes.ts';
import { FactorProofs } from './modules/factors/proofs.ts';
import { groupRoutes } from './modules/groups/groups.routes.ts';
import { fieldsByFormerName } from './modules/definitions/former-names.ts';
import { readValuesAt } from './modules/history/history.service.ts';
import { registerLagMetrics } from './modules/history/sequencing-lag.ts';
import { openSequencer } from './modules/history/sequencer.ts';
import { oidc } from './modules/oidc/oidc.module.ts';
import { presenceRoutes } from './modules/presence/presence.routes.ts';
import { queueRoutes } from './modules/queues/queues.routes.ts';
import { visibleTo } from './modules/rights/rights.service.ts';
import { spreadsheetRoutes } from './modules/spreadsheets/spreadsheets.routes.ts';
import { system } from './modules/system/system.module.ts';
import { suggestionRoutes } from './modules/suggestions/suggestions.routes.ts';
import { valueCleanupRoutes } from './modules/value-cleanup/value-cleanup.routes.ts';
import { viewRoutes } from './modules/views/views.routes.ts';

/** By subject; the OpenAPI document lists the calls in this order. */
const MODULES: readonly Module[] = [
  accounts,
  oidc,
  (app, { definitions }) => app.addCalls(groupRoutes(definitions)),
  (app, { definitions }) => app.addCalls(collectionRoutes(definitions)),
  definitionChanges,
  documents,
  bulkEdits,
  (app) => app.addCalls(spreadsheetRoutes()),
  (app) => app.addCalls(fileAnalysisRoutes),
  (app, { config }) => app.addCalls(datasetRoutes(config)),
  checks,
  (app, { definitions }) => app.addCalls(mergeRoutes(definitions)),
  (app, { definitions }) => app.addCalls(queueRoutes(definitions)),
  (app) => app.addCalls(flagRoutes()),
  events,
  (app, { liveUpdates }) => app.addCalls(presenceRoutes(liveUpdates.presence)),
  (app) => app.addCalls(suggestionRoutes()),
  (app) => app.addCalls(valueCleanupRoutes()),
  (app) => app.addCalls(viewRoutes()),
  (_app, { database, metrics }) => registerLagMetrics(metrics, database),
  system,
  audit,
];

export interface AppOptions {
  readonly database: Database;
  readonly config: Config;
  readonly definitions: Definitions;
  /** defaults to that of the settings */
  readonly files?: FileStore;
  /** aborted when the process is about to stop, some time before the service is closed */
  readonly stopping?: AbortSignal;
  /** of `Services`; 2 seconds by default */
  readonly jobWait?: number;
  /** the directory of the built web admin; defaults to that of the project */
  readonly webDir?: string;
  /** routes in addition to those of the modules */
  readonly routes?: readonly AnyRoute[];
}

const HOUR = 60 * 60 * 1000;

/** The whole service without a port. Closing it does not close the database. */
export async function buildApp({
  database: ownDatabase,
  config,
  definitions,
  files = openFileStore(config),
  stopping = new AbortController().signal,
  jobWait = 2_000,
  webDir,
  routes = [],
}: AppOptions): Promise<FastifyInstance> {
  const app = createFastify(config, (request): Promise<never> => refuse(request));
  // `onClose` hooks run in reverse order: everything that writes stops before the sequencer.
  const sequencer = openSequencer(ownDatabase, app.log);
  app.addHook('onClose', () => sequencer.close());
  const { database } = sequencer;
  const refusals = openRefusals(database, app.log);
  app.addHook('onClose', () => refusals.close());
  const { sessions, accessTokens, factorProofs } = openAuthentication(config, refusals);
  const scanner =
    config.malwareScanner === undefined ? null : new MalwareScanner(config.malwareScanner);
  const storedAnswers = new StoredAnswers(
    config.maxStoredAnswerBytes,
    readValuesAt,
    fieldsByFormerName,
  );
  const httpServices: HttpServices = {
    database,
    modules: config,
    maxBodyBytes: config.maxBodyBytes,
    maxFileBytes: config.maxFileBytes,
    anonymousBodySeconds: config.anonymousBodySeconds,
    incomingDir: files.incomingDir,
    scanFiles: scanner ? scanUploads(scanner, refusals) : async () => undefined,
    sessions,
    accessTokens,
    definitions,
    visibleTo,
    storedAnswers,
    slowDigest,
  };
  const metrics = new Metrics();
  // Load shedding comes before all other work of a request.
  const loadMonitor = shedLoad(app, { config, database, metrics });
  registerMonitoring(app, { config, database, metrics, loadMonitor, stopping });
  const refuse: (request: FastifyRequest) => Promise<never> = rejectUnmatched(app, httpServices);
  registerWebAdmin(app, webDir ?? webFolderOf(config.language), config);
  await registerOpenApi(app);
  addRequestPipeline(app, httpServices);

  const liveUpdates = openLiveUpdates(app, { database, definitions, config });
  sequencer.onSequenced(() => liveUpdates.events.wake());
  const searchIndexer = ownDatabase.adapter.openSearchIndexer(ownDatabase, app.log);
  // Each change of a record adds an entry to the history.
  sequencer.onSequenced(() => searchIndexer.wake());
  app.addHook('onClose', () => searchIndexer.close());
  const housekeeping = new Housekeeping();
  housekeeping.add(() => ownDatabase.adapter.mergeCounts(ownDatabase));
  housekeeping.add(() => storedAnswers.removeExpired(database), 'infrequent');
  const services: Services = {
    config,
    database,
    definitions,
    files,
    scanner,
    sessions,
    accessTokens,
    factorProofs,
    currentPasswords: openCurrentPasswords(refusals),
    refusals,
    sequencer,
    liveUpdates,
    metrics,
    housekeeping,
    jobWait,
  };
  for (const module of MODULES) await module(app, services);
  app.addCalls([...documentationRoutes(app), ...routes]);
  housekeeping.start(app);
  await app.ready();
  return app;
}

/** Sessions and tokens, by passwords and second factors. */
function openAuthentication(config: Config, refusals: Refusals) {
  const passwords = openPasswordChecks(
    { isOn: config.passwordSignIn, oneTimePasswordDays: config.oneTimePasswordDays },
    refusals,
  );
  const factorProofs = new FactorProofs();
  const sessions = openSessions(
    {
      idle: Math.round(config.sessionIdleHours * HOUR),
      life: Math.round(config.sessionLifeDays * 24 * HOUR),
      providerSignOut: config.oidc?.signOut ?? false,
    },
    { policy: config.secondFactor, publicUrl: config.publicUrl, proofs: factorProofs },
    passwords,
    refusals,
  );
  const accessTokens = openAccessTokens(
    passwords,
    config.secondFactor,
    config.tokenLifeDays,
    refusals,
  );
  return { sessions, accessTokens, factorProofs };
}
