import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { errorBodySchema } from '#shared/errors.ts';
import { PASSWORD } from '#tests/support/app.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { ServiceClient, type ServiceAnswer } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { ARCHIVE, prepareLedger, REVISIONS, USERNAME } from './ledger-content.ts';

const SPAN = 2_000;
const SAVERS = 200;
const EXPORTERS = 40;
const MIB = 1024 * 1024;

describeOnBothDatabases('a service with much more to do than it can', (_open, databases) => {
  let service: ServiceProcess | undefined;
  afterEach(() => service?.kill());

  test('refuses cleanly, keeps to its memory, and is itself again', async () => {
    const config = await databases.prepare();
    await prepareLedger(config);
    service = await startService({
      ...config,
      args: [
        '--empty',
        '--max-requests',
        '60',
        '--max-heavy-requests',
        '1',
        '--max-wait-seconds',
        '1',
      ],
    });
    const client = new ServiceClient(service.url);
    await client.signIn(USERNAME, PASSWORD);
    const figure = async (name: string) => {
      const text = await (await fetch(`${client.url}/metrics`)).text();
      return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
    };
    const before = await figure('process_resident_memory_bytes');

    const until = performance.now() + SPAN;
    const flood = (count: number, send: (n: number) => Promise<ServiceAnswer>) =>
      Promise.all(
        Array.from({ length: count }, async (_, n) => {
          const answers: ServiceAnswer[] = [];
          while (performance.now() < until) answers.push(await send(n));
          return answers;
        }),
      ).then((all) => all.flat());
    let most = 0;
    const delays: number[] = [];
    const watching = (async () => {
      while (performance.now() < until) {
        const from = performance.now();
        expect((await fetch(`${client.url}/healthz`)).status).toBe(200);
        delays.push(performance.now() - from);
        most = Math.max(most, await figure('process_resident_memory_bytes'));
        await setTimeout(50);
      }
    })();
    const saved = new Map<number, number>();
    const [saves, exports] = await Promise.all([
      flood(SAVERS, async (n) => {
        const revision = (n % REVISIONS) + 1;
        const answer = await client.send({
          method: 'PATCH',
          path: `${ARCHIVE}/documents/${revision}/indexdata`,
          json: { indexFields: [{ name: 'TOKEN', value: `${n} ${Math.random()}` }] },
        });
        if (answer.status === 200) saved.set(revision, (saved.get(revision) ?? 0) + 1);
        return answer;
      }),
      flood(EXPORTERS, () =>
        client.send({ method: 'GET', path: `${ARCHIVE}/index/export?format=csv` }),
      ),
      watching,
    ]);

    for (const answer of [...saves, ...exports]) {
      if (answer.status === 200) continue;
      expect(answer.status).toBe(503);
      expect(errorBodySchema.parse(answer.body).code).toBe('unavailable');
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
    }
    const good = (answers: readonly ServiceAnswer[]) =>
      answers.filter(({ status }) => status === 200).length;
    expect(good(saves)).toBeGreaterThan(0);
    expect(good(saves)).toBeLessThan(saves.length);
    expect(most - before).toBeLessThan(300 * MIB);
    // What was answered is saved, and what was refused is not.
    for (const [revision, count] of saved) {
      const { headers } = await client.send({
        method: 'GET',
        path: `${ARCHIVE}/documents/${revision}`,
      });
      expect(headers.get('etag')).toBe(`"${count + 1}"`);
    }
    expect(await figure('indexdesk_strain_ratio')).toBeLessThan(1);
    const after = await client.send({ method: 'GET', path: `${ARCHIVE}/index/export` });
    expect(after.status).toBe(200);
    console.log(
      `${databases.dialect}: in ${SPAN} ms ${good(saves)} of ${saves.length} saves and ${good(exports)} of ` +
        `${exports.length} exports, health within ${Math.round(Math.max(...delays))} ms, ` +
        `${Math.round((most - before) / MIB)} MiB more memory`,
    );
  });
});
