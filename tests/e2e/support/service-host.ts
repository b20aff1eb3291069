/*
 * A process in which services of spec files run, one after the other: loading the service's modules takes longer than most
 * tests. Each has a data directory, a port, settings and an app of its own. hosted-service.ts beside it asks for them.
 */
import { buildApp } from '#server/app.ts';
import { runCommandLine } from '#server/cli/cli.ts';
import { CONSOLE } from '#server/cli/console.ts';
import { ensureAdministrator, loadSample } from '#server/cli/first-start.ts';
import { addressOf, listenOnPort } from '#server/cli/listen.ts';
import { limitsOf, readCommandLine } from '#server/config.ts';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';
import { Definitions } from '#server/modules/definitions/definitions.service.ts';
import { openFileStore } from '#server/modules/files/open-file-store.ts';
import { makeHashesCheap } from '#tests/support/hashing-cost.ts';
import type { Answer, Question } from './hosted-service.ts';

process.umask(0o077);
makeHashesCheap();

/** Bytes from which reads run in threads, each of which loads the modules anew: no table of a spec file but TATE's. */
const WORKERS_FROM = 8 * 2 ** 20;

type Opening = Question & { kind: 'open' };

let close: () => Promise<void> = () => Promise.resolve();

async function answer(question: Question): Promise<string> {
  switch (question.kind) {
    case 'run':
      return run(question.args);
    case 'open':
      return open(question);
    case 'close':
      await close();
      return '';
    default:
      return question satisfies never;
  }
}

async function run(args: readonly string[]): Promise<string> {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const code = await runCommandLine(args, {}, { out: say, err: say });
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}.\n${said.join('\n')}`);
  return '';
}

/** As `serve` opens it. @returns its address */
async function open({ dataDir, databaseUrl, port, environment }: Opening): Promise<string> {
  const args = ['--port', String(port), '--data', dataDir];
  if (databaseUrl !== undefined) args.push('--database-url', databaseUrl);
  const { config } = readCommandLine(args, environment);
  const query = Math.round(config.maxQuerySeconds * 1000);
  const served: DatabaseConfig = {
    dataDir,
    databaseUrl,
    limits: { query, maxConnections: config.databaseConnections, workersFrom: WORKERS_FROM },
  };
  const database = await openDatabase(served);
  const files = openFileStore(config);
  await ensureAdministrator(database, config, CONSOLE);
  if (!config.empty) await loadSample(database, files, config, CONSOLE);
  const stopping = new AbortController();
  const app = await buildApp({
    database,
    config,
    definitions: new Definitions({ limits: limitsOf(config), timeZone: config.timeZone }),
    files,
    stopping: stopping.signal,
  });
  close = async () => {
    close = () => Promise.resolve();
    stopping.abort();
    const closed = app.close();
    app.server.closeAllConnections();
    await closed;
    await database.close();
  };
  return addressOf(config, await listenOnPort(app, config));
}

process.on('message', async (question: Question) => {
  let told: Answer;
  try {
    told = { result: await answer(question) };
  } catch (error) {
    told = { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  process.send?.(told);
});
// The worker has ended.
process.once('disconnect', () => process.exit());
