import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { PASSWORD } from '#tests/support/app.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { ServiceClient } from '#tests/support/service-client.ts';
import {
  startService,
  type ServiceOptions,
  type ServiceProcess,
} from '#tests/support/service-process.ts';
import { Clerks, fileOf, type Attempt } from './clerks.ts';
import { ARCHIVE, prepareLedger, USERNAME } from './ledger-content.ts';
import { contradictions, readState, tokensOf } from './stored-state.ts';

/** How often the service is killed; more to look for what is rare. */
const ROUNDS = Number(process.env['INDEXDESK_TEST_KILLS'] ?? 3);

describeOnBothDatabases('a service that is killed while 16 clients write', (_open, databases) => {
  let service: ServiceProcess | undefined;
  afterEach(() => service?.kill());

  test(
    'has every answered write, whole and once, after each restart',
    { timeout: 30_000 + ROUNDS * 10_000 },
    async () => {
      const config = await databases.prepare();
      await prepareLedger(config);
      const options: ServiceOptions = { ...config, args: ['--empty'] };
      service = await startService(options);
      const client = new ServiceClient(service.url);
      await client.signIn(USERNAME, PASSWORD);
      const clerks = new Clerks(client);

      for (let round = 0; round < ROUNDS; round += 1) {
        const working = clerks.work();
        await Promise.race([setTimeout(300 + Math.random() * 500), working]);
        clerks.killed();
        await service.kill();
        await working;
        service = await startService(options);
        client.url = service.url;
        expect(await lossesAndDoubles(client, clerks.attempts)).toEqual([]);
        await clerks.retry();
      }
      expect(await lossesAndDoubles(client, clerks.attempts)).toEqual([]);

      const answered = clerks.attempts.filter(({ ids }) => ids !== null);
      const kinds = new Set(answered.map(({ kind }) => kind));
      expect([...kinds].sort()).toEqual(['change', 'create', 'document', 'revision', 'revisions']);
      // Otherwise nothing was under way when the service was killed.
      expect(clerks.attempts.length).toBeGreaterThan(answered.length);
      console.log(
        `${databases.dialect}: ${ROUNDS} kills, ${answered.length} of ${clerks.attempts.length} writes answered`,
      );
    },
  );
});

/** Compares what was answered with what is stored, and its history with the records. */
async function lossesAndDoubles(
  client: ServiceClient,
  attempts: readonly Attempt[],
): Promise<string[]> {
  const records = await readState(client);
  const stored = tokensOf(records);
  const problems = records.flatMap(contradictions);
  for (const { kind, token, size, ids } of attempts) {
    const found = stored.get(token) ?? [];
    stored.delete(token);
    if (new Set(found).size !== found.length) problems.push(`${kind} was done twice`);
    if (ids === null) {
      if (found.length !== 0 && found.length !== size) {
        problems.push(`${kind} of ${size}, not answered: ${found.length} are there`);
      }
    } else if ([...found].sort().join() !== [...ids].sort().join()) {
      problems.push(`${kind} answered for ${ids.join()}: ${found.join()} are there`);
    }
  }
  for (const token of stored.keys()) problems.push(`nobody wrote ${token}`);
  const documents = attempts.filter(({ kind, ids }) => kind === 'document' && ids !== null);
  for (const { token, ids } of documents) {
    const path = `${ARCHIVE}/documents/${ids?.[0]}/file`;
    const { bytes } = await client.send({ method: 'GET', path });
    if (bytes.toString() !== fileOf(token))
      problems.push(`the file of ${ids?.[0]} is not as it was sent`);
  }
  return problems;
}
