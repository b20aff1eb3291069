/** @module-tag slow */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import type { DatabaseConfig } from '#server/database/open-database.ts';
import { SCHEMA_VERSION } from '#server/database/migrations/migrate.ts';
import { SQLITE_FILE } from '#server/database/sqlite/sqlite-database.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { sampled } from '#tests/support/effort.ts';
import { buildFolder } from '#tests/support/load.ts';
import { ServiceClient } from '#tests/support/service-client.ts';
import {
  SETTINGS,
  startService,
  type ServiceOptions,
  type ServiceProcess,
} from '#tests/support/service-process.ts';
import { placeOf, PROJECT, run, signIn } from './program.ts';
import { PASSWORD } from '#tests/support/password.ts';

describe('the program', () => {
  const pretending = (node: string) => {
    const other = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })`;
    return ['--import', `data:text/javascript,${encodeURIComponent(other)}`];
  };
  const runOn = (node: string) => run(['--version'], {}, pretending(node));

  it.each(sampled(1, ['22.3.0', '24.17.1']))(
    'tells an older Node in one line: %s',
    async (node) => {
      const { code, out, err } = await runOn(node);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      const { engines } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'));
      const oldest = String(engines.node).replace('>=', '');
      expect(err).toContain(`Indexdesk needs Node ${oldest} or newer; this is Node ${node}. `);
      expect(err).toMatch(/^.*\n$/);
    },
  );

  it('tells it at the end of an installation without development dependencies', () => {
    const check = (...node: string[]) =>
      spawnSync(process.execPath, [...node, join(PROJECT, 'scripts/check-node.js')], {
        encoding: 'utf8',
      });
    expect(check()).toMatchObject({ status: 0, stdout: '', stderr: '' });
    const { status, stderr } = check(...pretending('20.20.2'));
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^Indexdesk needs Node .* or newer; this is Node 20\.20\.2\. Install it.*\n$/,
    );
  });

  it('runs on a newer Node', { tags: ['long'] }, async () => {
    expect(await runOn('25.0.0')).toMatchObject({ code: 0, err: '' });
  });
});

/** `npx indexdesk` in a process group of its own, as a terminal makes one. */
function npx(...args: string[]) {
  const command = ['--no', '--', 'indexdesk', ...args];
  return spawn('npx', command, {
    cwd: PROJECT,
    env: { ...process.env, ...SETTINGS, INDEXDESK_LOG_LEVEL: 'info' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** @returns once it listens: its address, and what ends it and then returns its log */
async function serveByNpx(config: DatabaseConfig, ...args: string[]) {
  const child = npx('serve', '--port', '0', ...placeOf(config), ...args);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  // Closed once neither npx nor the service holds its output any more.
  const closed = once(child, 'close');
  const listening = Promise.withResolvers<string>();
  createInterface(child.stdout).on('line', (line) => {
    const [, url] = /^Indexdesk listening on (http:\S+)$/.exec(line) ?? [];
    if (url !== undefined) listening.resolve(url);
  });
  const url = await Promise.race([
    listening.promise,
    closed.then(() => Promise.reject(new Error(log))),
  ]);
  const end = async (stop: (pid: number) => void) => {
    stop(child.pid ?? 0);
    await closed;
    return log;
  };
  return { url, end };
}

function entriesOf(log: string): unknown[] {
  const entries = log.split('\n').filter((line) => line.startsWith('{'));
  return entries.map((line) => JSON.parse(line));
}

/** An entry of the log about the start or the end of the service. */
function entryOf(msg: string, { dataDir, databaseUrl }: DatabaseConfig): unknown {
  return expect.objectContaining({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    schema: SCHEMA_VERSION,
    ...(databaseUrl === undefined && { database: join(dataDir, SQLITE_FILE) }),
    dataDir,
    msg,
  });
}

describe('npx indexdesk', () => {
  it.each([
    // npm sends it as well.
    [
      'SIGINT, twice at once',
      (pid: number) => process.kill(-pid, 'SIGINT') && process.kill(-pid, 'SIGINT'),
    ],
    ['SIGINT', (pid: number) => process.kill(-pid, 'SIGINT')],
  ])('ends the service after %s', { tags: ['long'] }, async (_, stop) => {
    const config = { dataDir: join(buildFolder(), 'data') };
    const { end } = await serveByNpx(config, '--empty');
    const entries = entriesOf(await end(stop));
    expect(entries).toContainEqual(entryOf('service started', config));
    expect(entries.at(-1)).toEqual(entryOf('service stopped', config));
  });

  it('ends with the exit code of the command', { tags: ['long'] }, async () => {
    const [code] = await once(npx('serve', '--port', 'none'), 'exit');
    expect(code).toBe(2);
  });
});

describeOnOneDatabase('serve', (_, { dialect, prepare }) => {
  let service: ServiceProcess | undefined;
  afterEach(async () => {
    await service?.kill();
    service = undefined;
  });
  const start = async (config: DatabaseConfig, options: Partial<ServiceOptions> = {}) => {
    service = await startService({ ...config, ...options });
    return service;
  };

  it('makes the administrator and the sample content once, answers the calls of the README, and stops with 0', async () => {
    const config = await prepare();
    const first = await start(config);
    const { url } = first;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    // As after the first command: nobody has chosen a password.
    await expectAnswersOfReadme(config, url);
    const password = /The user admin was created\. Its password, shown only now: (\S{26})/.exec(
      first.log(),
    )?.[1];
    const client = new ServiceClient(url);
    await client.signIn('admin', password ?? '');
    // Whoever reads the log later finds a password that opens nothing.
    const archives = { method: 'GET', path: 'application/users/admin/archives' } as const;
    expect((await client.send(archives)).body).toMatchObject({
      code: 'password_change_required',
    });
    const changed = await client.send({
      method: 'PUT',
      path: 'application/users/admin/password',
      json: { current: password, password: PASSWORD },
    });
    expect(changed.status).toBe(204);
    expect((await client.send(archives)).body).toMatchObject({
      users: { archives: [{ table: 'INVOICES', documents: 200 }] },
    });
    expect(await first.stop()).toBe(0);

    const second = await serveByNpx(config);
    expect((await signIn(second.url, 'admin', password ?? '')).status).toBe(401);
    expect((await signIn(second.url, 'admin', PASSWORD)).status).toBe(201);
    // A supervisor sends it to the process that it has started, a terminal to the whole group.
    const log = await second.end((pid) => process.kill(pid, 'SIGTERM'));
    expect(log).not.toMatch(/user admin|sample/);
    const entries = entriesOf(log);
    expect(entries).toContainEqual(entryOf('service started', config));
    expect(entries.at(-1)).toEqual(entryOf('service stopped', config));
  });

  it(
    'asks nobody to change the password that INDEXDESK_ADMIN_PASSWORD gives',
    { tags: ['long'] },
    async () => {
      const environment = { INDEXDESK_ADMIN_PASSWORD: PASSWORD };
      const { url, log } = await start(await prepare(), { environment });
      expect(log()).not.toContain('shown only now');
      const client = new ServiceClient(url);
      await client.signIn('admin', PASSWORD);
      const { status } = await client.send({ method: 'GET', path: 'configuration/users' });
      expect(status).toBe(200);
    },
  );

  it(
    'keeps its files for its user alone, and warns of directories that others may use',
    { tags: ['long'] },
    async () => {
      const { dataDir, databaseUrl } = await prepare();
      const config = { dataDir: join(dataDir, 'made'), databaseUrl };
      const files = join(dataDir, 'shared');
      await mkdir(files);
      await chmod(files, 0o750);
      // As most systems have it, files are for all to read.
      const under = ['/bin/sh', '-c', 'umask 022; exec "$0" "$@"'];
      const first = await start(config, { under });
      expect(first.log()).not.toContain('Warning');
      const modes = new Set<string>();
      for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (!path.startsWith(config.dataDir)) continue;
        const { mode } = await stat(path);
        modes.add(`${entry.isDirectory() ? 'directory' : 'file'} ${(mode & 0o777).toString(8)}`);
      }
      expect([...modes].sort()).toEqual(['directory 700', 'file 600']);
      expect(await first.stop()).toBe(0);

      await chmod(config.dataDir, 0o755);
      const second = await start(config, { under, args: ['--files', files] });
      for (const [directory, mode] of [
        [config.dataDir, '755'],
        [files, '750'],
      ]) {
        expect(second.log()).toContain(
          `Warning: other users of this machine may use the directory ${directory} (its mode is ${mode}), ` +
            `and may read what is in it. Remove that right: chmod -R go= '${directory}'`,
        );
      }
      expect(await second.stop()).toBe(0);
    },
  );

  /** The service answers the calls of the README as they are printed there. */
  async function expectAnswersOfReadme(config: DatabaseConfig, url: string): Promise<void> {
    const readme = await readFile(join(PROJECT, 'README.md'), 'utf8');
    const [, calls = ''] = /^## Try the REST interface$.*?^```sh\n(.*?)\n```$/ms.exec(readme) ?? [];
    const ofThisPort = calls.replace('127.0.0.1:8080', new URL(url).host);
    const child = spawn(
      'bash',
      ['-c', `npm() { command npm --prefix "$PROJECT" "$@"; }\n${ofThisPort}`],
      {
        cwd: buildFolder(),
        env: {
          PATH: process.env['PATH'] ?? '',
          HOME: process.env['HOME'] ?? '',
          PROJECT,
          INDEXDESK_PORT: new URL(url).port,
          INDEXDESK_DATA: config.dataDir,
          INDEXDESK_DATABASE_URL: config.databaseUrl ?? '',
        },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    await once(child, 'close');
    expect(out).toMatch(/"sessions":.*"archivedocuments":.*"archivedocumentrevisions":/s);
    expect(out).toContain('{"name":"REMARK","value":"Checked"}');
    expect(out).not.toContain('"errors"');
  }

  it(
    'is refused a second time on a SQLite directory, and so is load',
    { tags: ['long'] },
    async () => {
      const config = await prepare();
      await start(config, { args: ['--empty'] });
      if (dialect === 'sqlite') {
        for (const args of [
          ['serve', '--port', '0'],
          ['load', 'package.json'],
        ]) {
          const { code, out, err } = await run([...args, ...placeOf(config)]);
          expect({ code, out }).toEqual({ code: 1, out: '' });
          expect(err).toMatch(
            /^The data directory .* is in use by another Indexdesk process\. Stop that process first.*\n$/,
          );
        }
      } else {
        // Several may serve one PostgreSQL database.
        const second = await startService({ ...config, args: ['--empty'] });
        expect(await second.stop()).toBe(0);
      }
    },
  );

  it('finishes what it accepted before it stops', { tags: ['long'] }, async () => {
    const config = await prepare();
    const running = await start(config, {
      args: ['--empty'],
      environment: { INDEXDESK_ADMIN_PASSWORD: PASSWORD },
    });
    const body = JSON.stringify({ username: 'admin', password: PASSWORD });
    const accepted = request(`${running.url}/api/rest/v2/application/sessions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        // Answered as soon as the service has read the head.
        expect: '100-continue',
      },
    });
    const answer = once(accepted, 'response');
    accepted.flushHeaders();
    await once(accepted, 'continue');
    const code = running.stop();
    await expect
      .poll(() => signIn(running.url, 'admin', PASSWORD).catch(() => 'refused'))
      .toBe('refused');
    accepted.end(body);
    const [response] = await answer;
    expect(response.statusCode).toBe(201);
    response.resume();
    const answered = performance.now();
    expect(await code).toBe(0);
    // It does not wait for further requests on the connection, which Fastify keeps alive for 72 s.
    expect(performance.now() - answered).toBeLessThan(60_000);
  });

  it('says in one line why it cannot start', { tags: ['long'] }, async () => {
    const config = await prepare();
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const address = holder.address();
    const port = address !== null && typeof address === 'object' ? String(address.port) : '';
    try {
      // The password that is shown once is not told by a service that does not start.
      const used = await run(['serve', '--port', port, ...placeOf(config)]);
      expect(used).toEqual({
        code: 1,
        out: '',
        err: `The port ${port} of 127.0.0.1 is in use by another program. Choose another one with --port.\n`,
      });
    } finally {
      holder.close();
    }
    const fresh = dialect === 'sqlite' ? ['--data', buildFolder()] : placeOf(await prepare());
    const without = await run(['serve', '--port', '0', '--files', '/dev/null/files', ...fresh]);
    expect(without).toMatchObject({ code: 1, out: '' });
    expect(without.err).toMatch(/^[^\n]*\/dev\/null\/files[^\n]*\n$/);
    const weak = await run(['serve', '--port', '0', ...fresh], {
      INDEXDESK_ADMIN_PASSWORD: 'short',
    });
    expect(weak).toMatchObject({ code: 1, out: '' });
    expect(weak.err).toBe('The password must have at least 10 characters.\n');
  });
});
