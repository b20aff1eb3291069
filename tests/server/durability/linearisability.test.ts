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
    { timeout: 60_000 + CALLS * 1_000 },
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

describe('the check of a history', () => {
  const first = { version: 1, value: '' };
  const write = (begin: number, end: number, version: number, value: string): Call => ({
    kind: 'written',
    begin,
    end,
    version,
    value,
  });
  const read = (begin: number, end: number, version: number, value: string): Call => ({
    kind: 'read',
    begin,
    end,
    version,
    value,
  });
  const refused = (begin: number, end: number, over: number): Call => ({
    kind: 'refused',
    begin,
    end,
    over,
  });

  test.each<[string, Call[]]>([
    ['nothing', []],
    ['a write that is read while it is made', [write(0, 9, 2, 'a'), read(1, 2, 2, 'a')]],
    ['an old value while a write is made', [write(0, 9, 2, 'a'), read(1, 2, 1, '')]],
    ['a refusal after a write', [write(0, 3, 2, 'a'), refused(2, 4, 1)]],
    [
      'a write of unknown outcome that was made',
      [{ kind: 'unknown', begin: 0, value: 'a' }, read(5, 6, 2, 'a')],
    ],
  ])('finds nothing wrong with %s', (_, calls) => {
    expect(violations(calls, first)).toEqual([]);
  });

  test.each<[string, Call[]]>([
    ['a lost write', [write(0, 1, 2, 'a'), read(2, 3, 1, '')]],
    ['two writes over the same version', [write(0, 2, 2, 'a'), write(0, 2, 2, 'b')]],
    ['a value that nobody wrote', [read(0, 1, 2, 'x')]],
    ['a value before its write', [read(0, 1, 2, 'a'), write(2, 3, 2, 'a')]],
    ['a read that goes back', [write(0, 9, 2, 'a'), read(1, 2, 2, 'a'), read(3, 4, 1, '')]],
    ['another value of a version', [write(0, 1, 2, 'a'), read(2, 3, 2, 'b')]],
    ['a write under a later one', [write(0, 1, 3, 'a'), write(2, 3, 2, 'b')]],
    ['a refusal without a cause', [refused(0, 1, 1), write(2, 3, 2, 'a')]],
  ])('finds %s', (_, calls) => {
    expect(violations(calls, first)).not.toEqual([]);
  });
});
