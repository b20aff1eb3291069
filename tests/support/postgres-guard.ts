/*
 * A process of its own that runs a PostgreSQL server in a temporary directory for as long as its standard
 * input stays open, then stops the server and removes the directory. The pipe closes however the process
 * at its other end ends, so that nothing is left behind even after kill -9.
 *
 * Argument: the folder of PostgreSQL's programs. Says one line of JSON: {"port"} or {"error"}.
 */
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from './free-port.ts';
import {
  ended,
  ownAll,
  readablePrograms,
  startProgram,
  userInsteadOfRoot,
  type User,
} from './postgres-programs.ts';

let child: ChildProcess | undefined;
let stopping = false;

function run(file: string, parameters: readonly string[], user: User | undefined) {
  if (stopping) throw new Error('Stopped.');
  // Ctrl+C on a terminal goes to a whole group: the server must outlive the connections of the tests.
  const started = startProgram(file, parameters, user, { isDetached: true });
  child = started.child;
  return started;
}

/**
 * Backends start often and read little here: small shared buffers are mapped fast, and with synchronous reads a backend waits
 * for no other process.
 */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 200,
  shared_buffers: '16MB',
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  autovacuum: 'off',
  io_method: 'sync',
  jit: 'off',
  deadlock_timeout: '100ms',
};

// Sorted by a language's rules unless a column says otherwise, so that one that forgets to is noticed.
const COLLATION = ['--locale=C', '--locale-provider=icu', '--icu-locale=en'];

/**
 * Creates the directory of a new server at `data`, which exists and is empty. `initdb` takes a second, so its result is kept
 * for later runs, for each version of the programs.
 */
async function createCluster(
  programs: string,
  data: string,
  user: User | undefined,
  initialize: (options: readonly string[]) => Promise<void>,
): Promise<void> {
  const options = ['-U', 'indexdesk', '-A', 'trust', '-E', 'UTF8', '--no-sync', ...COLLATION];
  const version = await readFile(join(programs, '..', 'package.json'), 'utf8');
  const key = createHash('sha256')
    .update(JSON.stringify([version, options]))
    .digest('hex');
  const cached = resolve(
    import.meta.dirname,
    `../../node_modules/.cache/postgres-${key.slice(0, 16)}`,
  );
  if (existsSync(cached)) {
    cpSync(cached, data, { recursive: true });
  } else {
    await initialize(options);
    const complete = await mkdtemp(`${cached}-`);
    cpSync(data, complete, { recursive: true });
    // Another run may have been faster.
    await rename(complete, cached).catch(() => rm(complete, { recursive: true, force: true }));
  }
  await ownAll(data, user);
}

async function start(programs: string, directory: string): Promise<number> {
  // mkdtemp makes it for its owner alone, but another user has to pass through.
  await chmod(directory, 0o755);
  const user = await userInsteadOfRoot();
  const bin = await readablePrograms(programs, directory, user);
  const data = join(directory, 'data');
  await mkdir(data, { mode: 0o700 });
  await ownAll(data, user);
  await createCluster(programs, data, user, async (options) => {
    const initdb = run(join(bin, 'initdb'), ['-D', data, ...options], user);
    const code = await ended(initdb.child);
    if (code !== '0') throw new Error(`initdb ended with ${code}: ${initdb.output()}`);
  });

  const port = await freePort();
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const parameters = ['-D', data, '-p', String(port), ...settings];
  const server = run(join(bin, 'postgres'), parameters, user);
  const crashed = ended(server.child).then((code) => {
    throw new Error(`PostgreSQL ended with ${code}: ${server.output()}`);
  });
  const ready = new Promise<void>((resolve) => {
    server.child.stderr.on('data', () => {
      if (server.output().includes('ready to accept connections')) resolve();
    });
  });
  await Promise.race([ready, crashed]);
  crashed.catch(() => undefined);
  return port;
}

async function stop(directory: string): Promise<void> {
  stopping = true;
  if (child && child.exitCode === null && child.signalCode === null) {
    // At once, without a checkpoint: what it has stored is removed.
    child.kill('SIGQUIT');
    await ended(child);
  }
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}

const [, , programs] = process.argv;
if (programs === undefined) throw new Error('The folder of the programs is missing.');
const directory = await mkdtemp(join(tmpdir(), 'indexdesk-postgres-'));
const released = once(process.stdin.resume(), 'close');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => process.stdin.destroy());
}
// Nobody may be listening any more.
process.stdout.on('error', () => undefined);
const started = start(programs, directory).then(
  (port) => process.stdout.write(`${JSON.stringify({ port })}\n`),
  (error: unknown) => {
    process.stdout.write(`${JSON.stringify({ error: String(error) })}\n`);
    process.stdin.destroy();
  },
);
await released;
await stop(directory);
await started;
// Stopped in the midst of its start, it may have made something after all.
await stop(directory);
process.exit();
