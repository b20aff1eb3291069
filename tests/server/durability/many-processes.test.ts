/** @module-tag postgres */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';
import { readDefinitions } from '#server/modules/definitions/definitions.service.ts';
import { buildUser, PASSWORD } from '#tests/support/app.ts';
import { addIndexField, rightOn } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { eventually, ServiceClient, type ServiceAnswer } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { ARCHIVE, DATASETS, prepareLedger, USERNAME } from './ledger-content.ts';
import { IS_LONG_RUN, repeated, WAIT_LIMIT } from '#tests/support/effort.ts';

/** As many as there may be; to know of each other, two are enough. */
const PROCESSES = IS_LONG_RUN ? 3 : 2;
const CONNECTIONS = 7;
/** The application name of the connections for notifications. */
const DIRECT = 'direct address';

function databaseOptions({ databaseUrl = '' }: DatabaseConfig): string[] {
  const direct = new URL(databaseUrl);
  direct.searchParams.set('application_name', DIRECT);
  const connections = ['--database-connections', String(CONNECTIONS)];
  return ['--database-direct-url', direct.href, ...connections];
}

describe('processes on one PostgreSQL database', () => {
  const { prepare } = testDatabases('postgres');
  let config: DatabaseConfig;
  let services: ServiceProcess[] = [];
  beforeAll(async () => {
    config = await prepare();
    await prepareLedger(config);
    await inDatabase(async (database) => {
      const { archives } = await database.read(readDefinitions);
      const rights = archives.map((archive) => rightOn(archive, 'write'));
      for (const username of ['anna', 'berta', 'clara'])
        await buildUser(database, { username, rights });
    });
    services = await Promise.all(
      Array.from({ length: PROCESSES }, () =>
        startService({ ...config, args: ['--empty', ...databaseOptions(config)] }),
      ),
    );
  });
  afterAll(() => Promise.all(services.map((service) => service.kill())));

  async function inDatabase<T>(
    work: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>,
  ) {
    const database = await openDatabase(config);
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }
  test('use as many connections as configured, and the direct address for notifications', async () => {
    const metrics = await fetch(`${services[0]?.url}/metrics`);
    expect(await metrics.text()).toContain(
      `indexdesk_database_connections{state="most"} ${CONNECTIONS}`,
    );
    const countListeners = () =>
      inDatabase((database) =>
        database.read(async ({ k }) => {
          const { rows } = await sql`select 1 from pg_stat_activity where query like 'listen %'
            and application_name = ${DIRECT} and datname = current_database()`.execute(k);
          return rows.length;
        }),
      );
    await expect.poll(countListeners).toBe(PROCESSES);
  });

  /** The same program, as a load balancer would send it: to each process in turn. */
  const turns = (client: ServiceClient) => {
    let turn = 0;
    return (request: Parameters<ServiceClient['send']>[0]): Promise<ServiceAnswer> => {
      client.url = services[turn++ % services.length]?.url ?? '';
      return client.send(request);
    };
  };
  async function signedIn(username: string) {
    const client = new ServiceClient(services[0]?.url ?? '');
    await client.signIn(username, PASSWORD);
    return client;
  }
  const session = { method: 'GET', path: 'application/sessions' } as const;

  test('know a session as soon as it begins, and that it has ended', async () => {
    const client = await signedIn('anna');
    const send = turns(client);
    for (const _ of services) expect((await send(session)).status).toBe(200);
    const { body } = await send(session);
    const id = /"sessionId":"([^"]+)"/.exec(JSON.stringify(body))?.[1];
    expect((await send({ method: 'DELETE', path: `application/sessions/${id}` })).status).toBe(204);
    for (const _ of services) expect((await send(session)).status).toBe(401);
  });

  test('do the same request once, also where it comes to all of them at the same time', async () => {
    const clients = await Promise.all(services.map(() => signedIn(USERNAME)));
    clients.forEach((client, n) => (client.url = services[n]?.url ?? ''));
    for (let round = 0; round < repeated(5); round += 1) {
      const answers = await Promise.all(
        clients.flatMap((client) =>
          [1, 2].map(() =>
            client.send({
              method: 'POST',
              path: DATASETS,
              headers: { 'idempotency-key': `round ${round}` },
              json: { datasets: [{ token: `r${round}` }, { token: `r${round}` }] },
            }),
          ),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(new Set(answers.map(({ bytes }) => bytes.toString())).size).toBe(1);
      const { body } = await turns(clients[0] ?? (await signedIn(USERNAME)))({
        method: 'GET',
        path: `${DATASETS}/count?where[token][eq]=r${round}`,
      });
      expect(body).toMatchObject({ count: 2 });
    }
  });

  test('count failed sign-ins together, and take no right guess among wrong ones', async () => {
    const guess = (n: number, password: string) =>
      new ServiceClient(services[n % services.length]?.url ?? '').send({
        method: 'POST',
        path: 'application/sessions',
        json: { username: 'berta', password },
      });
    for (let n = 0; n < 5; n += 1) expect((await guess(n, 'wrong password')).status).toBe(401);
    for (let n = 0; n < 3; n += 1) expect((await guess(n, PASSWORD)).status).toBe(429);
  });

  test('all have a new field soon', async () => {
    const client = await signedIn('clara');
    const send = turns(client);
    const read = () => send({ method: 'GET', path: `${ARCHIVE}/documents/1` });
    for (const _ of services) expect((await read()).bytes.toString()).not.toContain('ADDED');
    await inDatabase((database) =>
      database.write(async (db) => {
        const archive = (await readDefinitions(db)).archives[0];
        if (!archive) throw new Error('There is no archive.');
        await addIndexField(db, archive, 'ADDED');
      }),
    );
    const all = await eventually(async () => {
      const answers: ServiceAnswer[] = [];
      for (const _ of services) answers.push(await read());
      return answers.every(({ bytes }) => bytes.toString().includes('ADDED'));
    }, WAIT_LIMIT);
    expect(all).toBe(true);
  });

  test('know who has a revision open, and who has locked it', async () => {
    const [anna, clara] = [await signedIn('anna'), await signedIn('clara')];
    const [first, second] = [turns(anna), turns(clara)];
    await second(session);
    const path = `${ARCHIVE}/documents/7/viewers`;
    await first({ method: 'PUT', path, json: { editing: true } });
    const { body } = await second({ method: 'PUT', path, json: { editing: false } });
    expect(body).toMatchObject({ viewers: [{ username: 'anna', editing: true }] });

    const lock = (send: typeof first, locked: boolean) =>
      send({ method: 'PATCH', path: `${ARCHIVE}/documents/7`, json: { locked } });
    expect((await lock(first, true)).status).toBe(200);
    for (const _ of services) expect((await lock(second, true)).status).toBe(423);
  });
});
