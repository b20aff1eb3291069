import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installDebianPackage, isExecutable } from './debian-package.ts';
import { freePort } from './free-port.ts';
import { eventually } from './service-client.ts';

const PGBOUNCER = '/usr/sbin/pgbouncer';

/** Why no PgBouncer can be run here; null where one can. Installs it where that may be done. */
export function obstacleToPgBouncer(): string | null {
  try {
    if (!isExecutable(PGBOUNCER)) installDebianPackage('pgbouncer');
    execFileSync(PGBOUNCER, ['--version'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'PgBouncer is missing. Debian, Ubuntu: sudo apt-get install pgbouncer';
  }
}

export interface PgBouncer {
  /** the address of a server's database through it */
  reach(databaseUrl: string): string;
  stop(): Promise<void>;
}

/**
 * Starts a PgBouncer in transaction mode on a free port. It has fewer connections than one process of the
 * service asks for, so that the statements of one client's transactions soon run on another's connection.
 * @param serverUrl any address of the PostgreSQL server, with the user and password of all connections
 */
export async function startPgBouncer(serverUrl: string): Promise<PgBouncer> {
  const { hostname, port, username, password } = new URL(serverUrl);
  const directory = await mkdtemp(join(tmpdir(), 'indexdesk-pgbouncer-'));
  const own = await freePort();
  const server = [
    `host=${hostname}`,
    `port=${port || '5432'}`,
    `user=${decodeURIComponent(username)}`,
    ...(password === '' ? [] : [`password=${decodeURIComponent(password)}`]),
  ];
  const settings = join(directory, 'pgbouncer.ini');
  await writeFile(
    settings,
    [
      '[databases]',
      `* = ${server.join(' ')}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${own}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'default_pool_size = 3',
      'max_client_conn = 300',
      'server_lifetime = 2',
      '',
    ].join('\n'),
  );
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['--user', 'nobody'] : [];
  const child = spawn(PGBOUNCER, [...user, settings], { stdio: ['ignore', 'ignore', 'pipe'] });
  const killWithTests = () => child.kill('SIGKILL');
  process.once('exit', killWithTests);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const exit = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exit;
    process.off('exit', killWithTests);
    await rm(directory, { recursive: true, force: true });
  };
  if (!(await eventually(() => isOpen(own), 10_000))) {
    await stop();
    throw new Error(`PgBouncer does not start.\n${log}`);
  }
  return {
    reach(databaseUrl) {
      const address = new URL(databaseUrl);
      address.host = `127.0.0.1:${own}`;
      return address.href;
    },
    stop,
  };
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
