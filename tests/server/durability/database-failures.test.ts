import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PASSWORD } from '#tests/support/app.ts';
import { createCluster, type PostgresCluster } from '#tests/support/postgres-cluster.ts';
import { startPostgresProxy, type PostgresProxy } from '#tests/support/postgres-proxy.ts';
import { ServiceClient } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { Clerks } from './clerks.ts';
import { prepareLedger, USERNAME } from './ledger-content.ts';
import { lossesAndDoubles } from './losses.ts';

/** How often the database fails in each way; more to look for what is rare. */
const ROUNDS = Number(process.env['INDEXDESK_TEST_KILLS'] ?? 1);

describe('a service whose PostgreSQL fails while 16 clients write', () => {
  let cluster: PostgresCluster;
  let standby: PostgresCluster | undefined;
  let proxy: PostgresProxy;
  let service: ServiceProcess;
  let client: ServiceClient;
  let clerks: Clerks;
  let dataDir = '';

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'indexdesk-failures-'));
    cluster = await createCluster();
    await cluster.start();
    proxy = await startPostgresProxy(cluster.url);
    const config = { dataDir, databaseUrl: proxy.url };
    await prepareLedger(config);
    service = await startService({ ...config, args: ['--empty'] });
    client = new ServiceClient(service.url);
    await client.signIn(USERNAME, PASSWORD);
    clerks = new Clerks(client);
  });
  afterEach(async () => {
    await service.kill();
    await proxy.close();
    await cluster.remove();
    await standby?.remove();
    standby = undefined;
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Lets the clerks write, each until it is answered, while `fail` is called again and again. */
  async function writeWhile(rounds: number, fail: () => Promise<void>): Promise<void> {
    let ended = false;
    const working = clerks.writeUntil(() => ended);
    try {
      for (let round = 0; round < rounds; round += 1) {
        const before = clerks.answered;
        await setTimeout(200 + Math.random() * 400);
        await fail();
        // Otherwise the next failure would meet nobody.
        await Promise.race([
          working,
          expect
            .poll(() => clerks.answered, { timeout: 30_000, interval: 20 })
            .toBeGreaterThan(before + 16),
        ]);
      }
    } finally {
      ended = true;
    }
    await working;
  }

  async function report(what: string): Promise<void> {
    expect(await lossesAndDoubles(client, clerks.attempts)).toEqual([]);
    expect(clerks.attempts.every(({ ids }) => ids !== null)).toBe(true);
    console.log(
      `${what}: ${clerks.answered} writes answered, ${clerks.refusals} times 503, nothing lost, doubled or half`,
    );
  }

  test('with kill -9 of the server', { timeout: 60_000 + ROUNDS * 15_000 }, async () => {
    await writeWhile(ROUNDS, async () => {
      await cluster.kill();
      await cluster.start();
    });
    await report(`${ROUNDS} kills of PostgreSQL`);
    expect(clerks.refusals).toBeGreaterThan(0);
  });

  test('with connections that are cut', { timeout: 60_000 + ROUNDS * 15_000 }, async () => {
    await writeWhile(ROUNDS * 3, async () => proxy.cutAll());
    await report(`${ROUNDS * 3} cuts of all connections`);
  });

  test(
    'with a synchronous standby that is promoted when its server is killed',
    { timeout: 120_000 },
    async () => {
      standby = await cluster.addStandby();
      const next = standby;
      await writeWhile(1, async () => {
        await cluster.kill();
        await next.promote();
        proxy.pointTo(next.url);
        proxy.cutAll();
      });
      await report('a promotion');
    },
  );
});
