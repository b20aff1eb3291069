import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { indexAnswer } from '#shared/contract/answers.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { BASE, PASSWORD } from '#tests/support/app.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { ServiceClient, type ServiceAnswer } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { ARCHIVE, prepareLedger, REVISIONS, USERNAME } from './ledger-content.ts';

const SPAN = 2_000;
const SAVERS = 200;
const EXPORTERS = 40;
const MIB = 1024 * 1024;
const MAX_REQUESTS = 16;
/** Revisions whose list is larger than all buffers between the service and a client that does not read. */
const LARGE_REVISIONS = 12;
const LARGE_VALUE = 'x'.repeat(1_000_000);

describeOnOneDatabase('a service with much more to do than it can', (_open, databases) => {
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
        String(MAX_REQUESTS),
        '--max-heavy-requests',
        '1',
        '--max-wait-seconds',
        '1',
        '--stall-seconds',
        '600',
      ],
    });
    const client = new ServiceClient(service.url);
    await client.signIn(USERNAME, PASSWORD);
    const figure = async (name: string) => {
      const text = await (await fetch(`${client.url}/metrics`)).text();
      return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
    };
    const isClean = (answer: ServiceAnswer) => {
      expect(answer.status).toBe(503);
      expect(errorBodySchema.parse(answer.body).code).toBe('unavailable');
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
    };
    const save = (revision: number, value: string) =>
      client.send({
        method: 'PATCH',
        path: `${ARCHIVE}/documents/${revision}/indexdata`,
        json: { indexFields: [{ name: 'TOKEN', value }] },
      });

    const before = await figure('process_resident_memory_bytes');

    // Answers that nobody takes fill the service for as long as the test wants.
    const underWay = () => figure('indexdesk_requests_under_way\\{cost="usual"\\}');
    await setLargeValues(client, LARGE_VALUE);
    const held: IncomingMessage[] = [];
    for (let i = 0; i < MAX_REQUESTS; i += 1) held.push(await openAnswer(client));
    expect(await underWay()).toBeGreaterThan(0);
    for (let i = 1; i <= SAVERS; i += 1) isClean(await save(REVISIONS, `refused ${i}`));
    for (const answer of held) answer.destroy();
    await expect.poll(underWay).toBe(0);
    await setLargeValues(client, null);

    const version = await readVersions(client);

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
        const answer = await save(revision, `${n} ${Math.random()}`);
        if (answer.status === 200) saved.set(revision, (saved.get(revision) ?? 0) + 1);
        return answer;
      }),
      flood(EXPORTERS, () =>
        client.send({ method: 'GET', path: `${ARCHIVE}/index/export?format=csv` }),
      ),
      watching,
    ]);

    for (const answer of [...saves, ...exports]) {
      if (answer.status !== 200) isClean(answer);
    }
    const good = (answers: readonly ServiceAnswer[]) =>
      answers.filter(({ status }) => status === 200).length;
    expect(good(saves)).toBeGreaterThan(0);
    expect(most - before).toBeLessThan(300 * MIB);
    // What was answered is saved, and what was refused is not.
    for (const [revision, count] of saved) {
      const { headers } = await client.send({
        method: 'GET',
        path: `${ARCHIVE}/documents/${revision}`,
      });
      expect(headers.get('etag')).toBe(`"${(version.get(revision) ?? 0) + count}"`);
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

async function setLargeValues(client: ServiceClient, value: string | null): Promise<void> {
  const revisions = Array.from({ length: LARGE_REVISIONS }, (_, i) => ({
    revisionId: i + 1,
    indexFields: [{ name: 'TOKEN', value }],
  }));
  const answer = await client.send({
    method: 'PATCH',
    path: `${ARCHIVE}/indexdata`,
    json: { revisions },
  });
  expect(answer.status).toBe(200);
}

/** An answer whose body is not read. */
async function openAnswer({ url, cookie }: ServiceClient): Promise<IncomingMessage> {
  const path = `${url}${BASE}${ARCHIVE}/index?limit=${LARGE_REVISIONS}`;
  const request = get(path, { agent: false, headers: { cookie } });
  const [answer]: IncomingMessage[] = await once(request, 'response');
  if (!answer) throw new Error('There was no answer.');
  answer.on('error', () => undefined);
  return answer;
}

/** The versions of all revisions, by their ids. */
async function readVersions(client: ServiceClient): Promise<Map<number, number>> {
  const path = `${ARCHIVE}/index?limit=${REVISIONS}`;
  const { body } = await client.send({ method: 'GET', path });
  const { etags } = indexAnswer.parse(body).meta;
  return new Map(
    Object.entries(etags).map(([id, etag]) => [Number(id), Number(etag.replaceAll('"', ''))]),
  );
}
