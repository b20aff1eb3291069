/** @module-tag postgres */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DatabaseConfig } from '#server/database/open-database.ts';
import { PASSWORD } from '#tests/support/app.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { ServiceClient } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import {
  inDatabase,
  KEEPER,
  MAX_WAIT,
  one,
  planAll,
  prepareArchive,
  stored,
  until,
  untilEnded,
} from './bulk-edit-state.ts';
import { DATASETS, prepareLedger, USERNAME } from './ledger-content.ts';
import { nothingIsLost } from './losses.ts';
import { repeated } from '#tests/support/effort.ts';

const MANY = 2_000;
/** How often a process is killed while it is asked; more to look for what is rare. */
const ROUNDS = repeated(1) + 2;
const BATCH = 20;

describe('of two processes on one PostgreSQL database', () => {
  const { prepare } = testDatabases('postgres');
  const services: ServiceProcess[] = [];
  const configs: DatabaseConfig[] = [];
  beforeAll(async () => {
    // Here, as the tests run at the same time: most of it is waiting.
    for (let i = 0; i < 3; i += 1) configs.push(await prepare());
  });
  afterAll(() => Promise.all(services.map((service) => service.kill())));

  const start = async (config: DatabaseConfig) => {
    const service = await startService({ ...config, args: ['--empty'] });
    services.push(service);
    return service;
  };
  const config = (n: number) => configs[n] ?? { dataDir: '' };

  /** A bulk edit that the first of two processes has begun to apply, and nobody else can have begun. */
  async function begun(of: DatabaseConfig) {
    const archive = await prepareArchive(of, MANY);
    const [first, second] = [await start(of), await start(of)];
    const client = new ServiceClient(first.url);
    await client.signIn(KEEPER, PASSWORD);
    const at = await planAll(client, archive);
    process.kill(second.pid, 'SIGSTOP');
    await client.send({ method: 'POST', path: `${at}/apply`, json: { onChanged: 'refuse' } });
    await until(client, at, ({ counts }) => counts.done > 0);
    process.kill(second.pid, 'SIGCONT');
    client.url = second.url;
    return { archive, at, client, first };
  }
  const takenOver = { state: 'done', counts: { done: MANY, pending: 0, conflicts: 0 } };
  const timeout = 60_000 + 3 * MAX_WAIT;

  test.concurrent(
    'one goes on with a bulk edit when the other is killed',
    { timeout },
    async () => {
      const { archive, at, client, first } = await begun(config(0));
      await first.kill();
      const left = await one(client, 'GET', at);
      // Otherwise there was nothing to take over.
      expect(left.counts.pending).toBeGreaterThan(0);
      expect(await untilEnded(client, at)).toMatchObject(takenOver);
      const { problems, versions, entries } = await inDatabase(config(0), (database) =>
        stored(database, archive, MANY),
      );
      nothingIsLost(problems);
      expect({ versions, entries }).toEqual({ versions: [2], entries: MANY });
    },
  );

  test.concurrent(
    'and when the other stands still, which wakes up later',
    { timeout },
    async () => {
      const { archive, at, client, first } = await begun(config(1));
      process.kill(first.pid, 'SIGSTOP');
      const left = await one(client, 'GET', at);
      expect(left.counts.pending).toBeGreaterThan(0);
      expect(await untilEnded(client, at)).toMatchObject(takenOver);
      process.kill(first.pid, 'SIGCONT');
      client.url = first.url;
      // It has a part in its hands of which nothing may come, and works on.
      await setTimeout(3_000);
      const once = await inDatabase(config(1), (database) => stored(database, archive, MANY));
      nothingIsLost(once.problems);
      expect(once).toMatchObject({ versions: [2], entries: MANY });
      await client.send({ method: 'POST', path: `${at}/undo` });
      expect(await untilEnded(client, at)).toMatchObject({
        state: 'undone',
        counts: { takenBack: MANY },
      });
      const back = await inDatabase(config(1), (database) => stored(database, archive, MANY));
      nothingIsLost(back.problems);
      expect(back).toMatchObject({ versions: [3], entries: 2 * MANY });
    },
  );

  test.concurrent(
    'the second does once what the first was asked for, which was killed meanwhile',
    { timeout: 300_000 + ROUNDS * 15_000 },
    async () => {
      await prepareLedger(config(2));
      const second = new ServiceClient((await start(config(2))).url);
      await second.signIn(USERNAME, PASSWORD);
      const doubled: string[] = [];
      let unanswered = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const asked = await start(config(2));
        const requests = Array.from({ length: 12 }, (_, i) => {
          const token = `round ${round} call ${i}`;
          return {
            token,
            request: {
              method: 'POST',
              path: DATASETS,
              headers: { 'idempotency-key': token, cookie: second.cookie },
              json: { datasets: Array.from({ length: BATCH }, () => ({ token })) },
            } as const,
          };
        });
        const first = new ServiceClient(asked.url);
        const begun = requests.map(async ({ request }, i) => {
          await setTimeout(i * 4);
          return first.send(request).catch(() => null);
        });
        await setTimeout(20 + Math.random() * 400);
        await asked.kill();
        for (const [i, { token, request }] of requests.entries()) {
          const answer = await begun[i];
          const again = await second.send(request);
          expect(again.status).toBe(200);
          if (!answer) unanswered += 1;
          else if (!answer.bytes.equals(again.bytes)) doubled.push(`${token}: another answer`);
          const path = `${DATASETS}/count?where[token][eq]=${encodeURIComponent(token)}`;
          const { body } = await second.send({ method: 'GET', path });
          if (Object(body).count !== BATCH) doubled.push(`${token}: ${JSON.stringify(body)}`);
        }
      }
      nothingIsLost(doubled);
      // Otherwise nothing was under way when the process was killed.
      expect(unanswered).toBeGreaterThan(0);
      console.log(
        `${ROUNDS} kills: ${unanswered} of ${ROUNDS * 12} calls were answered by another process, each done once`,
      );
    },
  );
});
