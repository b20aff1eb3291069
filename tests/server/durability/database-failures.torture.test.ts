/** @module-tag postgres */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PASSWORD } from '#tests/support/app.ts';
import { createCluster, type PostgresCluster } from '#tests/support/postgres-cluster.ts';
import { startPostgresProxy, type PostgresProxy } from '#tests/support/postgres-proxy.ts';
import { eventually, ServiceClient } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { Clerks } from './clerks.ts';
import { prepareLedger, USERNAME } from './ledger-content.ts';
import { lossesAndDoubles, nothingIsLost } from './losses.ts';
import { repeated } from '#tests/support/effort.ts';

/** How often the database fails in each way; more to look for what is rare. */
const ROUNDS = repeated(1);

/** Each stops the server that there is, to copy it. */
const PROMOTIONS = Math.min(ROUNDS, 10);
/** How long nothing may be written after a failure, in milliseconds. */
const MAX_PAUSE = 30_000;

describe('a service whose PostgreSQL fails while 16 clients write', () => {
  let cluster: PostgresCluster;
  let standby: PostgresCluster | undefined;
  const past: PostgresCluster[] = [];
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
    for (const one of past.splice(0)) await one.remove();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Lets the clerks write, each until it is answered, while `fail` is called again and again. */
  async function writeWhile(rounds: number, fail: () => Promise<void>): Promise<void> {
    let ended = false;
    const working = clerks.writeUntil(() => ended);
    try {
      for (let round = 0; round < rounds; round += 1) {
        // Otherwise the failure would meet nobody.
        const more = clerks.answered + 16;
        const met = eventually(async () => clerks.answered > more, MAX_PAUSE);
        expect(await Promise.race([met, working])).toBe(true);
        await setTimeout(Math.random() * 200);
        await fail();
      }
    } finally {
      ended = true;
    }
    await working;
  }

  /** What is lost, doubled, half done or never answered. */
  async function problems(): Promise<string[]> {
    const unanswered = clerks.attempts.filter(({ ids }) => ids === null);
    return [
      ...(await lossesAndDoubles(client, clerks.attempts)),
      ...unanswered.map(({ kind }) => `${kind} was never answered`),
    ];
  }
  function tell(what: string): void {
    console.log(`${what}: ${clerks.answered} writes answered, ${clerks.refusals} times 503`);
  }

  test('with kill -9 of the server', { timeout: 300_000 + ROUNDS * 15_000 }, async () => {
    await writeWhile(ROUNDS, async () => {
      await cluster.kill();
      await cluster.start();
    });
    nothingIsLost(await problems());
    tell(`${ROUNDS} kills of PostgreSQL`);
  });

  test('with connections that are cut', { timeout: 300_000 + ROUNDS * 15_000 }, async () => {
    await writeWhile(ROUNDS * 3, async () => proxy.cutAll());
    nothingIsLost(await problems());
    tell(`${ROUNDS * 3} cuts of all connections`);
  });

  test(
    'with a synchronous standby that is promoted when its server is killed',
    { timeout: 300_000 + PROMOTIONS * 30_000 },
    async () => {
      standby = await cluster.addStandby();
      await writeWhile(PROMOTIONS, async () => {
        const next = standby ?? (await cluster.addStandby());
        await cluster.kill();
        // Its programs are those of its standby.
        past.push(cluster);
        cluster = next;
        standby = undefined;
        await next.promote();
        proxy.pointTo(next.url);
        proxy.cutAll();
      });
      nothingIsLost(await problems());
      tell(`${PROMOTIONS} promotions`);
    },
  );
});
