// `npm run dev`: the service, which restarts when its sources change, and the web admin with hot reload in front of it.
// Not `node --watch`: Node then sends messages of its own through the ports of worker threads (tried with 24.21), which
// the service takes for answers.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { createServer as createWebServer } from 'vite';
import { NOT_BUILT } from '#server/http/web-admin.ts';
import { freePort } from '#tests/support/free-port.ts';

const PROJECT = resolve(import.meta.dirname, '..');
const SOURCES = ['server', 'shared'].map((folder) => join(PROJECT, 'src', folder) + sep);
/** The service listens on this machine alone, so the password of its data directory need not be secret. */
const PASSWORD = 'otters on the developers bench';
/** Saving several files at once restarts the service once; milliseconds. */
const DEBOUNCE = 100;

const {
  INDEXDESK_DATA: dataDir = join(PROJECT, 'dev-data'),
  INDEXDESK_ADMIN_PASSWORD: password = PASSWORD,
  INDEXDESK_PORT: servicePort = String(await freePort()),
  INDEXDESK_LOG_LEVEL: logLevel = 'warn',
  INDEXDESK_DEV_PORT: webPort = '5173',
} = process.env;
const serviceUrl = `http://127.0.0.1:${servicePort}`;

// Before vite.config.ts is read.
process.env['INDEXDESK_DEV_SERVICE'] = serviceUrl;
const web = await createWebServer({
  root: PROJECT,
  configFile: join(PROJECT, 'vite.config.ts'),
  server: {
    host: '127.0.0.1',
    port: Number(webPort),
    watch: { ignored: ['bench', 'data', 'dev-data', 'dist', 'tests'].map(inProject) },
  },
});

let isListening = false;
let isStopping = false;
let service = startService();
let restarting: Promise<void> | undefined;
web.watcher.on('all', (_event, path) => {
  if (SOURCES.some((folder) => path.startsWith(folder))) restarting ??= restart();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());

function startService(): ChildProcess {
  // Arguments are options of Node, such as --inspect.
  const args = [...process.argv.slice(2), join(PROJECT, 'bin/indexdesk.js'), 'serve'];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      INDEXDESK_DATA: dataDir,
      INDEXDESK_ADMIN_PASSWORD: password,
      INDEXDESK_PORT: servicePort,
      INDEXDESK_LOG_LEVEL: logLevel,
      // No load balancer has to notice a restart.
      INDEXDESK_DRAIN_SECONDS: '0',
    },
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('Indexdesk listening on ')) void reportStart();
    else process.stdout.write(`${line}\n`);
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    // Vite serves the web admin, from its sources.
    if (line !== NOT_BUILT.message) process.stderr.write(`${line}\n`);
  });
  child.once('exit', (code) => {
    if (child !== service || isStopping || restarting) return;
    process.stderr.write(
      `The service ended with ${code}. It starts again when a source changes.\n`,
    );
  });
  return child;
}

async function reportStart(): Promise<void> {
  if (isListening) {
    process.stdout.write('The service has restarted.\n');
    return;
  }
  isListening = true;
  await web.listen();
  process.stdout.write(
    `Open ${web.resolvedUrls?.local[0]} and sign in as admin with the password: ${password}\n` +
      `The service is at ${serviceUrl}, its data in ${dataDir}. Ctrl+C ends both.\n`,
  );
}

async function restart(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, DEBOUNCE));
  await endService();
  if (!isStopping) service = startService();
  restarting = undefined;
}

/** Resolves when the service has ended, also where it had ended before. */
async function endService(): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return;
  const ended = once(service, 'exit');
  service.kill('SIGTERM');
  await ended;
}

async function stop(): Promise<void> {
  isStopping = true;
  await Promise.all([endService(), web.close()]);
  process.exit();
}

function inProject(folder: string): string {
  return join(PROJECT, folder, '**');
}
