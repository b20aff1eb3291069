import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { buildUser, openApp, type TestAnswer, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildRecords, buildTable } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';
import { valuesOf } from '#tests/support/json-schema-values.ts';
import { repeated } from '#tests/support/effort.ts';

const parameterSchema = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().optional(),
  schema: z.unknown(),
});
const operationSchema = z.object({
  operationId: z.string(),
  parameters: z.array(parameterSchema).optional(),
  requestBody: z
    .object({
      required: z.literal(true),
      content: z.record(z.string(), z.object({ schema: z.unknown() })),
    })
    .optional(),
});
type Operation = z.infer<typeof operationSchema>;
const methodSchema = z.enum(['get', 'post', 'put', 'patch', 'delete']);
const documentSchema = z.object({
  paths: z.record(z.string(), z.partialRecord(methodSchema, operationSchema)),
});

/** Calls that end the session, change its password, are throttled or never end. */
const LEFT_OUT = /Sessions|UsersUsernamePassword|getEvents/;
/** Requests of each call; the seed is fixed, so that a run is like every other. */
const RUNS = { numRuns: repeated(8), seed: 20261122 };
/** What depends on the content of an archive or table, not on the shape of a request. */
const OF_CONTENT =
  /^There is no |was made for another|is named twice|is of type|no revision matches/;

interface Sent {
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  /** whether the body holds the parts of a form */
  readonly form: boolean;
  readonly body: unknown;
}

describe('requests that the description of the interface allows', () => {
  const { open } = testDatabases('sqlite');
  let client: TestClient;
  let operations: { path: string; method: z.infer<typeof methodSchema>; operation: Operation }[];

  beforeAll(async () => {
    const t = await openApp(open);
    const archive = await buildArchive(t.database, [{ name: 'NO' }], ['SUBJECT']);
    const table = await buildTable(t.database, [{ name: 'name' }]);
    await buildRecords(t.database, archive, [['R-1']]);
    await buildRecords(t.database, table, [['a']]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    client = await t.signedIn('admin');
    const ids: Record<string, string> = {
      archive: archive.name,
      guid: table.guid,
      indexfield: 'NO',
      username: 'admin',
    };
    const { paths } = documentSchema.parse((await client.get('openapi.json')).body);
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      methodSchema.options.flatMap((method) => {
        const operation = methods[method];
        if (!operation || LEFT_OUT.test(operation.operationId)) return [];
        const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '1');
        return [{ path: filled.slice(1), method, operation }];
      }),
    );
  });

  const requestsOf = ({ parameters = [], requestBody }: Operation): fc.Arbitrary<Sent> => {
    const of = (place: 'query' | 'header') => {
      const here = parameters.filter((one) => one.in === place && one.name !== 'Indexdesk-Session');
      return fc.record(
        Object.fromEntries(here.map(({ name, schema }) => [name, valuesOf(schema)])),
        { requiredKeys: here.filter(({ required }) => required).map(({ name }) => name) },
      );
    };
    const [[type, body] = []] = Object.entries(requestBody?.content ?? {});
    return fc.record({
      query: of('query'),
      headers: of('header'),
      form: fc.constant(type === 'multipart/form-data'),
      body: body ? valuesOf(body.schema) : fc.constant(undefined),
    });
  };
  /** The body of a request, and the headers that go with it. */
  const written = ({ form, body }: Sent) => {
    if (!form) return { body, headers: {} };
    return formOf(
      Object.entries(z.record(z.string(), z.string()).parse(body)).map(([name, value]) =>
        name.startsWith('files') ? [name, { name: 'a.csv', bytes: value }] : [name, value],
      ),
    );
  };
  /** Whether an answer refuses the form of a request, and not what it says of this archive or table. */
  const isRefused = ({ status, body }: TestAnswer): boolean => {
    if (status < 400) return false;
    const { errors } = errorBodySchema.parse(body);
    const about = status === 422 ? (errors['-'] ?? []) : Object.values(errors).flat();
    return [400, 413, 415, 422, 500].includes(status) && about.some((one) => !OF_CONTENT.test(one));
  };

  it('are refused by no call for their shape', async () => {
    const refused: string[] = [];
    expect(operations.length).toBeGreaterThan(60);
    for (const { path, method, operation } of operations) {
      for (const one of fc.sample(requestsOf(operation), RUNS)) {
        const { query, headers } = one;
        const sentBody = written(one);
        // What `after` may be only an answer tells.
        const given = Object.entries(query).filter(([name]) => name !== 'after');
        const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
        const named = Object.entries(headers).map(([name, value]) => [name, String(value)]);
        const answer = await client.send(
          z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).parse(method.toUpperCase()),
          `${path}?${search.toString()}`,
          sentBody.body,
          { headers: { ...Object.fromEntries(named), ...sentBody.headers } },
        );
        if (!isRefused(answer)) continue;
        const sent = JSON.stringify(one);
        refused.push(`${method} ${path} ${sent}: ${answer.status} ${answer.text.slice(0, 300)}`);
        break;
      }
    }
    expect(refused).toEqual([]);
  });
});
