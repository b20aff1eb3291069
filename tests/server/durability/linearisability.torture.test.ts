import { randomInt } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { PASSWORD } from '#tests/support/app.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { ServiceClient } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { ARCHIVE, prepareLedger, USERNAME } from './ledger-content.ts';
import { nothingIsLost } from './losses.ts';
import { violations, type Call } from './order-of-versions.ts';
import { repeated } from '#tests/support/effort.ts';

const CLIENTS = 32;
const PROCESSES = 3;
/** Few, so that they meet. */
const REVISIONS = 4;
/** How many calls each client makes. */
const CALLS = repeated(10);

const revisionAnswer = z.object({
  archivedocumentrevisions: z.tuple([
    z.object({
      indexFields: z.array(z.object({ name: z.string(), value: z.unknown() })),
    }),
  ]),
});

describe('three processes on one PostgreSQL database', { tags: ['postgres'] }, () => {
  const { prepare } = testDatabases('postgres');
  let services: ServiceProcess[] = [];
  afterEach(() => Promise.all(services.map((service) => service.kill())));

  test(
    'answer 32 clients as if each call happened at one moment',
    { timeout: 300_000 + CALLS * 1_000 },
    async () => {
      const config = await prepare();
      await prepareLedger(config);
      services = await Promise.all(
        Array.from({ length: PROCESSES }, () => startService({ ...config, args: ['--empty'] })),
      );
      const signedIn = new ServiceClient(services[0]?.url ?? '');
      await signedIn.signIn(USERNAME, PASSWORD);
      const histories = Array.from({ length: REVISIONS }, () => new Array<Call>());

      await Promise.all(
        Array.from({ length: CLIENTS }, async (_, n) => {
          for (let i = 0; i < CALLS; i += 1) {
            const url = services[randomInt(PROCESSES)]?.url ?? '';
            const revision = randomInt(REVISIONS);
            const history = histories[revision] ?? [];
            const known = history.findLast(
              (call) => call.kind === 'read' || call.kind === 'written',
            );
            const over = known && 'version' in known && randomInt(3) > 0 ? known.version : null;
            history.push(await call(url, revision + 1, over, `client ${n} call ${i}`));
          }
        }),
      );

      const calls = histories.flat();
      const count = (kind: Call['kind']) => calls.filter((one) => one.kind === kind).length;
      nothingIsLost(histories.flatMap((history) => violations(history, { version: 1, value: '' })));
      // Otherwise it says nothing.
      expect(count('written')).toBeGreaterThan(REVISIONS);
      expect(count('refused')).toBeGreaterThan(0);
      expect(count('read')).toBeGreaterThan(0);
      console.log(
        `${calls.length} calls of ${CLIENTS} clients over ${PROCESSES} processes: ${count('read')} reads, ` +
          `${count('written')} writes, ${count('refused')} refused as changed meanwhile, ` +
          `${count('unknown')} of unknown outcome; linearisable for each of ${REVISIONS} revisions`,
      );

      async function call(
        url: string,
        revision: number,
        over: number | null,
        value: string,
      ): Promise<Call> {
        const path = `/api/rest/v2/${ARCHIVE}/documents/${revision}`;
        const headers = { cookie: signedIn.cookie };
        const begin = performance.now();
        if (over === null) {
          const response = await fetch(url + path, { headers });
          const { archivedocumentrevisions } = revisionAnswer.parse(await response.json());
          const end = performance.now();
          const field = archivedocumentrevisions[0].indexFields.find(
            ({ name }) => name === 'TOKEN',
          );
          const held = typeof field?.value === 'string' ? field.value : '';
          return { kind: 'read', begin, end, version: versionOf(response), value: held };
        }
        const response = await fetch(`${url}${path}/indexdata`, {
          method: 'PATCH',
          headers: { ...headers, 'content-type': 'application/json', 'if-match': `"${over}"` },
          body: JSON.stringify({ indexFields: [{ name: 'TOKEN', value }] }),
        });
        const text = await response.text();
        const end = performance.now();
        if (response.status === 412) return { kind: 'refused', begin, end, over };
        if (response.status === 503) return { kind: 'unknown', begin, value };
        if (response.status !== 200) throw new Error(`${response.status} ${text}`);
        return { kind: 'written', begin, end, version: versionOf(response), value };
      }
    },
  );
});

function versionOf(response: Response): number {
  const version = Number(/^"(\d+)"$/.exec(response.headers.get('etag') ?? '')?.[1]);
  if (!Number.isInteger(version)) throw new Error(`${response.status} without a version`);
  return version;
}
