import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { buildApp } from '#server/app.ts';
import { readBuildInfo } from '#server/build-info.ts';
import { limitsOf, type Config } from '#server/config.ts';
import { warningOfOpenDirectory } from '#server/database/data-directory.ts';
import { SQLITE_FILE } from '#server/database/sqlite/sqlite-database.ts';
import { isWebAdminBuilt, NOT_BUILT, WEB_DIR } from '#server/http/web-admin.ts';
import { openDefinitions } from '#server/modules/definitions/definitions.service.ts';
import { openFileStore } from '#server/modules/files/file-store.ts';
import type { Environment } from './arguments.ts';
import type { Console } from './console.ts';
import { withDatabase } from './database.ts';
import { ensureAdministrator, loadSample } from './first-start.ts';
import { startIndexCompletion, type IndexCompletion } from './index-completion.ts';
import { addressOf, checkPort, listen } from './listen.ts';
import { nextSignal, nextStopRequest } from './stop-request.ts';

/** What a process puts up with from PostgreSQL and from processes that stand still, in milliseconds. */
const PATIENCE = { statement: 60_000, idle: 15_000, lock: 20_000 };

/**
 * How long all may take once the service is told to stop, until what is still under way is cut, in milliseconds: with
 * what comes after, and on a machine that is busy, it stays within 10 s.
 */
const LONGEST_END = 8_000;
/** What is left of it to those that were accepted last, however long is drained, in milliseconds. */
const LEAST_END = 1_000;
/** After that, a database that does not let go is waited for no longer, in milliseconds. */
const LONGEST_CLOSE = 1_000;

/**
 * How V8 collects garbage once the service listens: when the heap has grown by 30 %, where it would let a busy one become
 * four times as large; and with room for new objects that grows as usual, which bin/indexdesk.js held back during the
 * start (docs/decisions/0018-memory.md).
 */
const GARBAGE = ['--heap-growing-percent=30', '--semi-space-growth-factor=2'];

/** `serve`: resolves with the exit code when a signal has stopped the service. */
export async function serve(
  config: Config,
  environment: Environment,
  console: Console,
): Promise<number> {
  // Also one that comes during the start is heard, and stops the service once it stands.
  const stopped = nextStopRequest(environment);
  void stopped.then(async () => {
    // Who tells it twice does not want to wait.
    await nextSignal();
    process.exit(ENDED_AT_ONCE);
  });
  const drain = config.drainSeconds * SECOND;
  const longest = Math.max(LONGEST_END, drain + LEAST_END);
  void stopped.then(() =>
    setTimeout(() => {
      console.err('The database did not let go in time. What was answered is saved.');
      process.exit(FAILED);
    }, longest + LONGEST_CLOSE).unref(),
  );
  const { dataDir, databaseUrl, databaseDirectUrl, databaseConnections: most } = config;
  const query = Math.round(config.maxQuerySeconds * 1000);
  const served = { dataDir, databaseUrl, databaseDirectUrl, limits: { ...PATIENCE, most, query } };
  const facts = { ...readBuildInfo(), database: placeOfDatabase(config), dataDir };
  let log: FastifyBaseLogger | undefined;
  const code = await withDatabase(served, 'upgrade', async (database) => {
    await warnOfOpenDirectories(config, console);
    const files = openFileStore(config);
    await files.check();
    await checkPort(config);
    // Its password, which is shown once, shall be of a service that starts.
    await ensureAdministrator(database, config, console);
    if (!config.empty) await loadSample(database, files, console);
    const stopping = new AbortController();
    const app = await buildApp({
      database,
      config,
      definitions: openDefinitions(limitsOf(config)),
      files,
      stopping: stopping.signal,
    });
    let drained = 0;
    let indexes: IndexCompletion | undefined;
    try {
      const direct = { dataDir, databaseUrl: databaseDirectUrl ?? databaseUrl };
      indexes = await startIndexCompletion(database, direct, console);
      const port = await listen(app, config);
      for (const flag of GARBAGE) setFlagsFromString(flag);
      if (!isWebAdminBuilt(WEB_DIR)) console.err(NOT_BUILT);
      log = app.log;
      log.info({ ...facts, node: process.versions.node }, 'service started');
      console.out(`Indexdesk listening on ${addressOf(config, port)}`);
      const signal = await stopped;
      log.info({ signal }, 'service stops');
      stopping.abort();
      // Who sits at the terminal waits for no load balancer to look.
      drained = signal === 'SIGTERM' ? drain : 0;
      await delay(drained);
    } finally {
      await Promise.all([indexes?.close(), close(app, longest - drained)]);
    }
    return 0;
  });
  log?.info(facts, 'service stopped');
  return code;
}

/** The file or the address, without what identifies us there. */
function placeOfDatabase({ dataDir, databaseUrl }: Config): string {
  if (databaseUrl === undefined) return join(dataDir, SQLITE_FILE);
  const url = URL.parse(databaseUrl);
  return url === null ? 'PostgreSQL' : `${url.protocol}//${url.host}${url.pathname}`;
}

/** Says which directories of the installation other users of the machine may use. */
async function warnOfOpenDirectories(
  { dataDir, files }: Pick<Config, 'dataDir' | 'files'>,
  console: Console,
): Promise<void> {
  for (const directory of [dataDir, ...(typeof files === 'string' ? [files] : [])]) {
    const warning = await warningOfOpenDirectory(directory);
    if (warning !== null) console.err(warning);
  }
}

const SECOND = 1_000;
const FAILED = 1;
/** As shells tell it of a program that SIGTERM ended. */
const ENDED_AT_ONCE = 143;

/** Takes on nothing more and finishes what was accepted. @param longest milliseconds */
async function close(app: FastifyInstance, longest: number): Promise<void> {
  const closed = app.close();
  // A connection whose last answer comes after the close began would be kept open for further requests.
  const idle = setInterval(() => app.server.closeIdleConnections(), 50);
  const late = setTimeout(() => app.server.closeAllConnections(), longest);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
