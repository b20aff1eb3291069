import * as texts from '#messages/service/cli.ts';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { buildApp } from '#server/app.ts';
import { readBuildInfo } from '#server/build-info.ts';
import { limitsOf, type Config } from '#server/config.ts';
import { collectGarbageBeforeLargeWork } from '#server/workers/memory-budget.ts';
import { directoryPermissionWarning } from '#server/database/data-directory.ts';
import type { DatabaseConfig } from '#server/database/open-database.ts';
import { SQLITE_FILE } from '#server/database/sqlite/sqlite-database.ts';
import { isWebAdminBuilt, NOT_BUILT, webFolderOf } from '#server/http/web-admin.ts';
import { Definitions } from '#server/modules/definitions/definitions.service.ts';
import { openFileStore } from '#server/modules/files/open-file-store.ts';
import type { Environment } from './arguments.ts';
import type { Console } from './console.ts';
import { withDatabase } from './with-database.ts';
import { ensureAdministrator, loadSample } from './first-start.ts';
import { addressOf, assertPortIsFree, listenOnPort } from './listen.ts';
import { listenForStopRequests } from './stop-request.ts';
import { warningsOfUnencrypted } from './unencrypted-connections.ts';

/** Timeouts on PostgreSQL, in milliseconds: of statements, idle transactions and waits for locks. */
const TIMEOUTS = { statement: 60_000, idle: 15_000, lock: 20_000 };

/** From the stop request until open requests are aborted, in milliseconds. The process ends within 10 s. */
const SHUTDOWN_TIMEOUT = 8_000;
/** The part of it that remains after a drain of any length, in milliseconds. */
const MIN_CLOSE_TIMEOUT = 1_000;
/** How long the database may then take to close, in milliseconds. */
const DATABASE_CLOSE_TIMEOUT = 1_000;

/**
 * V8's garbage collection once the service listens: after 30 % growth of the heap instead of up to 300 %, and with the usual
 * growth of the space for new objects, which bin/indexdesk.js limits during the start (docs/decisions/0018-memory.md).
 */
const GARBAGE_COLLECTION = ['--heap-growing-percent=30', '--semi-space-growth-factor=2'];

/** `serve`: resolves with the exit code when a signal has stopped the service. */
export async function serve(
  config: Config,
  environment: Environment,
  console: Console,
): Promise<number> {
  // A signal during the start stops the service after the start.
  const { first: stopped, second } = listenForStopRequests(environment);
  void second.then(() => process.exit(TERMINATED));
  const drain = config.drainSeconds * SECOND;
  const timeout = Math.max(SHUTDOWN_TIMEOUT, drain + MIN_CLOSE_TIMEOUT);
  void stopped.then(() =>
    setTimeout(() => {
      console.err(texts.databaseNotClosed);
      process.exit(FAILED);
    }, timeout + DATABASE_CLOSE_TIMEOUT).unref(),
  );
  const { dataDir, databaseUrl, databaseDirectUrl, databaseConnections: maxConnections } = config;
  const query = Math.round(config.maxQuerySeconds * 1000);
  const served: DatabaseConfig = {
    dataDir,
    databaseUrl,
    databaseDirectUrl,
    limits: { ...TIMEOUTS, maxConnections, query },
  };
  const identity = { ...readBuildInfo(), database: databaseName(config), dataDir };
  let log: FastifyBaseLogger | undefined;
  const code = await withDatabase(served, 'upgrade', async (database) => {
    await warnOfOpenDirectories(config, console);
    for (const warning of warningsOfUnencrypted(config)) console.err(warning);
    const files = openFileStore(config);
    await files.check();
    await assertPortIsFree(config);
    // After the checks: the password is printed once, and only if the service can start.
    await ensureAdministrator(database, config, console);
    if (!config.empty) await loadSample(database, files, config, console);
    const stopping = new AbortController();
    const app = await buildApp({
      database,
      config,
      definitions: new Definitions({ limits: limitsOf(config), timeZone: config.timeZone }),
      files,
      stopping: stopping.signal,
    });
    let drained = 0;
    try {
      const port = await listenOnPort(app, config);
      for (const flag of GARBAGE_COLLECTION) setFlagsFromString(flag);
      collectGarbageBeforeLargeWork();
      if (!isWebAdminBuilt(webFolderOf(config.language))) console.err(NOT_BUILT.message);
      log = app.log;
      log.info({ ...identity, node: process.versions.node }, 'service started');
      console.out(texts.listening(addressOf(config, port)));
      const signal = await stopped;
      log.info({ signal }, 'service stops');
      stopping.abort();
      // Ctrl+C needs no drain for load balancers.
      drained = signal === 'SIGTERM' ? drain : 0;
      await delay(drained);
    } finally {
      await close(app, timeout - drained);
    }
    return 0;
  });
  log?.info(identity, 'service stopped');
  return code;
}

/** The file or the URL without credentials. */
function databaseName({ dataDir, databaseUrl }: Config): string {
  if (databaseUrl === undefined) return join(dataDir, SQLITE_FILE);
  const url = URL.parse(databaseUrl);
  return url === null ? 'PostgreSQL' : `${url.protocol}//${url.host}${url.pathname}`;
}

/** Reports directories of the installation that other users of the machine may access. */
async function warnOfOpenDirectories(
  { dataDir, files }: Pick<Config, 'dataDir' | 'files'>,
  console: Console,
): Promise<void> {
  for (const directory of [dataDir, ...(typeof files === 'string' ? [files] : [])]) {
    const warning = await directoryPermissionWarning(directory);
    if (warning !== null) console.err(warning);
  }
}

const SECOND = 1_000;
const FAILED = 1;
/** The exit code of a program that SIGTERM ended. */
const TERMINATED = 143;

/** Accepts no more requests and completes the accepted ones. @param timeout milliseconds */
async function close(app: FastifyInstance, timeout: number): Promise<void> {
  const closed = app.close();
  // Connections that become idle after the close began would stay open.
  const idle = setInterval(() => app.server.closeIdleConnections(), 50);
  const late = setTimeout(() => app.server.closeAllConnections(), timeout);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
