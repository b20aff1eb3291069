import type { ChildProcess } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './free-port.ts';
import { programsFolder } from './postgres-process.ts';
import {
  ended,
  ownAll,
  readablePrograms,
  startProgram,
  userInsteadOfRoot,
  type User,
} from './postgres-programs.ts';

/** A durable PostgreSQL server of its own, which can be killed and started again. */
export interface PostgresCluster {
  /** the address of its maintenance database; the same after each start */
  readonly url: string;
  start(): Promise<void>;
  /** SIGKILL for the server and all of its processes: nothing of theirs runs any more. */
  kill(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
  /** Makes a standby of it, for whose flush each of its commits waits from now on; both run afterwards. */
  addStandby(): Promise<PostgresCluster>;
  /** Makes a standby a server of its own. */
  promote(): Promise<void>;
  /** Kills it and removes what it has stored. */
  remove(): Promise<void>;
}

const MAX_START = 60_000;

/** Crashes are survived as in operation, save that the machine itself does not crash. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  wal_level: 'replica',
  max_wal_senders: '4',
  wal_keep_size: '256MB',
  hot_standby: 'on',
};

/** Makes a cluster, which does not run yet. @param settings in addition to those that it comes with */
export async function createCluster(
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'indexdesk-cluster-'));
  await chmod(directory, 0o755);
  const user = await userInsteadOfRoot();
  const programs = await readablePrograms(programsFolder(), directory, user);
  const data = join(directory, 'data');
  await mkdir(data, { mode: 0o700 });
  await ownAll(data, user);
  const parameters = ['-D', data, '-U', 'indexdesk', '-A', 'trust', '-E', 'UTF8', '--locale=C'];
  const initdb = run(programs, user, 'initdb', [...parameters, '--no-sync']);
  if ((await ended(initdb.child)) !== '0') throw new Error(`initdb: ${initdb.output()}`);
  return new Cluster(directory, programs, user, await freePort(), settings);
}

class Cluster implements PostgresCluster {
  readonly url: string;
  readonly #directory: string;
  readonly #programs: string;
  readonly #user: User | undefined;
  readonly #port: number;
  #settings: Readonly<Record<string, string>>;
  #server: ChildProcess | undefined;

  constructor(
    directory: string,
    programs: string,
    user: User | undefined,
    port: number,
    settings: Readonly<Record<string, string>>,
  ) {
    this.url = `postgres://indexdesk@127.0.0.1:${port}/postgres`;
    this.#directory = directory;
    this.#programs = programs;
    this.#user = user;
    this.#port = port;
    this.#settings = settings;
  }

  get #data(): string {
    return join(this.#directory, 'data');
  }

  async start(): Promise<void> {
    const settings = { ...SETTINGS, ...this.#settings };
    const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const parameters = ['-D', this.#data, '-p', String(this.#port), ...given];
    const until = performance.now() + MAX_START;
    for (;;) {
      const { child, output } = run(this.#programs, this.#user, 'postgres', parameters);
      this.#server = child;
      while (child.exitCode === null && child.signalCode === null) {
        if (await this.#answers()) return;
        if (performance.now() > until) throw new Error(`PostgreSQL does not start: ${output()}`);
        await setTimeout(50);
      }
      // Another process of the one that was killed may still hold its memory.
      if (performance.now() > until) throw new Error(`PostgreSQL ended: ${output()}`);
      await setTimeout(100);
    }
  }

  async kill(): Promise<void> {
    const server = this.#server;
    if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const children = await childrenOf(server.pid);
    server.kill('SIGKILL');
    for (const pid of children) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended with its parent.
      }
    }
    await ended(server);
  }

  async stop(): Promise<void> {
    if (!this.#server) return;
    this.#server.kill('SIGINT');
    await ended(this.#server);
  }

  async addStandby(): Promise<PostgresCluster> {
    // A copy of a server that was stopped in order is a standby's beginning.
    await this.stop();
    const directory = await mkdtemp(join(tmpdir(), 'indexdesk-cluster-'));
    await chmod(directory, 0o755);
    const data = join(directory, 'data');
    await cp(this.#data, data, { recursive: true, preserveTimestamps: true });
    await writeFile(join(data, 'standby.signal'), '');
    await chmod(data, 0o700);
    await ownAll(data, this.#user);
    const standby = new Cluster(directory, this.#programs, this.#user, await freePort(), {
      primary_conninfo: `host=127.0.0.1 port=${this.#port} user=indexdesk application_name=standby`,
    });
    this.#settings = { ...this.#settings, synchronous_standby_names: 'standby' };
    await this.start();
    await standby.start();
    return standby;
  }

  async promote(): Promise<void> {
    await this.#query('select pg_promote(true, 30)');
  }

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }

  async #answers(): Promise<boolean> {
    try {
      await this.#query('select 1');
      return true;
    } catch {
      return false;
    }
  }

  async #query(text: string): Promise<void> {
    const client = new Client({ connectionString: this.url, connectionTimeoutMillis: 2_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(text);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** Starts a program, which ends with the tests. */
function run(programs: string, user: User | undefined, program: string, parameters: string[]) {
  const started = startProgram(join(programs, program), parameters, user, { isDetached: false });
  const { child } = started;
  const killWithTests = () => child.kill('SIGKILL');
  process.once('exit', killWithTests);
  child.once('exit', () => process.off('exit', killWithTests));
  return started;
}

/** As Linux tells it. */
async function childrenOf(parent: number): Promise<number[]> {
  const text = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}
