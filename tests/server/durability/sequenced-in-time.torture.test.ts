import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { Database } from '#server/database/database.ts';
import { PASSWORD } from '#tests/support/app.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { ServiceClient } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { ARCHIVE, DATASETS, prepareLedger, USERNAME } from './ledger-content.ts';
import { staysWithin } from './within.ts';

const CLIENTS = 8;
/** How long it is written each time, in milliseconds. */
const WRITING = 2_000;
/** A batch in the midst of the others' writes. */
const BATCH = 3_000;
const LONGEST = 1_000;

describeOnBothDatabases('under steady writes', (open, { dialect, prepare }) => {
  let services: ServiceProcess[] = [];
  afterEach(() => Promise.all(services.map((service) => service.kill())));

  test('every entry is sequenced at the latest 1 s after its commit', async () => {
    const { config, clients } = await start(1);
    const database = await open(config);
    let round = 0;
    await staysWithin(`${dialect}: longest until an entry is sequenced`, LONGEST, async () => {
      round += 1;
      const batch = Array.from({ length: BATCH }, () => ({ token: `batch of ${round}` }));
      const { delays, answered } = await whileWriting(database, clients, `${round}`, (client) =>
        client.send({ method: 'POST', path: DATASETS, json: { datasets: batch } }),
      );
      expect(answered).toBeGreaterThan(50);
      expect(delays).toHaveLength(answered + BATCH);
      return Math.max(...delays);
    });
  });

  if (dialect === 'sqlite') return;

  test('also what a process has written that is killed', async () => {
    const { config, clients } = await start(2);
    const database = await open(config);
    let round = 0;
    await staysWithin('longest until an entry of the dead is sequenced', LONGEST, async () => {
      round += 1;
      const { delays, answered } = await whileWriting(database, clients, `${round}`, async () => {
        await services.pop()?.kill();
        services.push(await startService({ ...config, args: ['--empty'] }));
        for (const [n, client] of clients.entries()) client.url = services[n % 2]?.url ?? '';
      });
      expect(delays.length).toBeGreaterThanOrEqual(answered);
      return Math.max(...delays);
    });
  });

  async function start(processes: number) {
    const config = await prepare();
    await prepareLedger(config);
    const starting = Array.from({ length: processes }, () =>
      startService({ ...config, args: ['--empty'] }),
    );
    services = await Promise.all(starting);
    const clients = Array.from(
      { length: CLIENTS },
      (_, n) => new ServiceClient(services[n % processes]?.url ?? ''),
    );
    for (const client of clients) await client.signIn(USERNAME, PASSWORD);
    return { config, clients };
  }
});

/**
 * Lets each client correct a revision again and again, and does something in the midst of it.
 * @returns for each entry, by how much later it was sequenced than the answer to its call came, in milliseconds; that of
 *   `inTheMidst` and of calls that got none count from when their entries were first seen
 */
async function whileWriting(
  database: Database,
  clients: readonly ServiceClient[],
  round: string,
  inTheMidst: (client: ServiceClient) => Promise<unknown>,
): Promise<{ delays: number[]; answered: number }> {
  const answers = new Map<string, number>();
  const seen = new Map<string, number>();
  const sequenced = new Map<string, number>();
  const from = await newestId(database);
  let ended = false;
  const until = performance.now() + WRITING;
  const watch = async () => {
    for (let block = await newestBlock(database); ;) {
      const last = ended;
      const { blocks, entries, at } = await database.read(async ({ k }) => ({
        blocks: await k
          .selectFrom('history_blocks')
          .select(['number', 'ids'])
          .where('number', '>', block)
          .orderBy('number')
          .execute(),
        // All of them: lesser ids may be committed later.
        entries: await k.selectFrom('history').select('id').where('id', '>', from).execute(),
        at: performance.now(),
      }));
      for (const { id } of entries) if (!seen.has(String(id))) seen.set(String(id), at);
      for (const { number, ids } of blocks) {
        block = number;
        for (const one of JSON.parse(ids)) sequenced.set(String(one), at);
      }
      if (last && seen.size > 0 && seen.keys().every((one) => sequenced.has(one))) return;
      if (performance.now() > until + 10 * LONGEST) return;
      await setTimeout(20);
    }
  };
  const watching = watch();
  await Promise.all([
    ...clients.map(async (client, n) => {
      for (let i = 0; performance.now() < until; i += 1) {
        const token = `${round} ${n} ${i}`;
        const path = `${ARCHIVE}/documents/${n + 1}/indexdata`;
        const json = { indexFields: [{ name: 'TOKEN', value: token }] };
        const answer = await client.send({ method: 'PATCH', path, json }).catch(() => null);
        if (answer?.status === 200) answers.set(token, performance.now());
        await setTimeout(10);
      }
    }),
    setTimeout(WRITING / 3).then(() => inTheMidst(clients[0] ?? new ServiceClient(''))),
  ]);
  ended = true;
  await watching;
  const tokens = await tokensBehind(database, from);
  const delays = tokens
    .entries()
    .map(([id, token]) => {
      const committed = answers.get(token) ?? seen.get(id) ?? Number.NaN;
      return Math.max(0, (sequenced.get(id) ?? Number.POSITIVE_INFINITY) - committed);
    })
    .toArray();
  return { delays, answered: answers.size };
}

async function newestId(database: Database): Promise<number> {
  const { id } = await database.read(({ k }) =>
    k
      .selectFrom('history')
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirstOrThrow(),
  );
  return id;
}

async function newestBlock(database: Database): Promise<number> {
  const { number } = await database.read(({ k }) =>
    k
      .selectFrom('history_blocks')
      .select(({ fn }) => fn.max('number').as('number'))
      .executeTakeFirstOrThrow(),
  );
  return number;
}

/** What was written to TOKEN or token, by the ids of the entries. */
async function tokensBehind(database: Database, from: number): Promise<Map<string, string>> {
  const entries = await database.read(({ k }) =>
    k
      .selectFrom('history')
      .select(['id', 'changes'])
      .where('id', '>', from)
      .where('scope', 'in', ['archive', 'table'])
      .execute(),
  );
  return new Map(
    entries.map(({ id, changes }): [string, string] => [
      String(id),
      String(JSON.parse(changes)[0]?.after),
    ]),
  );
}
