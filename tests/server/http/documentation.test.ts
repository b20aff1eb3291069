import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { testDatabases } from '#tests/support/databases.ts';

const operation = z.object({
  operationId: z.string(),
  summary: z.string().min(1),
  parameters: z
    .array(z.object({ name: z.string(), in: z.enum(['path', 'query', 'header']) }))
    .optional(),
  requestBody: z
    .object({ content: z.record(z.string(), z.object({ schema: z.unknown() })) })
    .optional(),
  responses: z.record(z.string(), z.unknown()),
  security: z.array(z.unknown()).optional(),
});
const documentSchema = z.object({
  openapi: z.literal('3.1.1'),
  info: z.object({ title: z.string(), version: z.string() }),
  servers: z.tuple([z.object({ url: z.literal('/api/rest/v2') })]),
  paths: z.record(z.string(), z.record(z.string(), operation)),
});

describe('the description of the interface', () => {
  const { open } = testDatabases('sqlite');
  let t: TestApp;
  let client: TestClient;
  let document: z.infer<typeof documentSchema>;
  let raw: unknown;

  beforeAll(async () => {
    t = await openApp(open, { archiveModule: 'docs-module', dataModule: 'tables-module' });
    await buildUser(t.database);
    client = await t.signedIn('clerk');
    const answer = await client.get('openapi.json');
    raw = answer.body;
    document = documentSchema.parse(raw);
  });

  it('lists every call that can be made', () => {
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    );
    const registered = [...t.app.printRoutes({ commonPrefix: false }).matchAll(/\(([A-Z, ]+)\)/g)];
    // Each GET stands for a HEAD as well; /healthz, /readyz and /metrics are no calls of the interface.
    const calls = registered
      .flatMap(([, methods = '']) => methods.split(', '))
      .filter((method) => method !== 'HEAD');
    expect(described).toHaveLength(calls.length - 3);
    for (const call of [
      'patch /application/docs-module/archives/{archive}/documents/{revisionId}/indexdata',
      'put /application/docs-module/archives/{archive}/documents/{revisionId}/indexdata',
      'patch /application/docs-module/archives/{archive}/indexdata',
      'put /application/docs-module/archives/{archive}/indexdata',
      'post /application/tables-module/tables/{guid}/datasets',
      'put /application/tables-module/tables/{guid}/datasets/{jrid}',
      'post /application/sessions',
    ]) {
      expect(described).toContain(call);
    }
  });

  it('holds references that lead somewhere', () => {
    const text = JSON.stringify(raw);
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = '']) => to);
    expect(references.length).toBeGreaterThan(50);
    for (const reference of new Set(references)) {
      expect(reference).toMatch(/^#\//);
      let value: unknown = raw;
      for (const key of reference.slice(2).split('/')) {
        value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
      }
      expect([reference, typeof value]).toEqual([reference, 'object']);
    }
    expect(text).not.toContain('"$schema"');
    expect(text).not.toContain('"$defs"');
  });

  it('names each operation once, with its path parameters, headers and errors', () => {
    const ids: string[] = [];
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, described] of Object.entries(operations)) {
        ids.push(described.operationId);
        const named = (place: string) =>
          (described.parameters ?? []).filter((one) => one.in === place).map(({ name }) => name);
        expect(named('path')).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
        if (described.security === undefined) expect(described.responses).toHaveProperty('401');
        if (path.endsWith('/indexdata')) {
          expect(named('header')).toEqual(['If-Match', 'Indexdesk-Session', 'Idempotency-Key']);
          expect(Object.keys(described.responses)).toEqual(
            expect.arrayContaining(['200', '412', '422', '423', '409']),
          );
          expect(described.requestBody?.content['application/json']?.schema).toBeTypeOf('object');
        }
        if (method === 'get') expect(described.requestBody).toBeUndefined();
      }
    }
    expect(new Set(ids).size).toBe(ids.length);
    const signIn = document.paths['/application/sessions']?.['post'];
    expect(signIn?.security).toEqual([]);
    expect(signIn?.responses).toHaveProperty('429');
  });

  it('has a page to read it, whose parts come from here', async () => {
    const page = await client.get('docs');
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.text).not.toMatch(/https?:\/\//);
    expect(page.text).not.toMatch(/<script(?![^>]* src=)[^>]*>/);
    const parts = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, to = '']) => to);
    expect(parts.length).toBeGreaterThan(4);
    for (const part of parts) {
      const answer = await client.get(part);
      expect([part, answer.status]).toEqual([part, 200]);
    }
    const json = await client.get('docs/json');
    expect(json.body).toEqual(raw);
  });

  it.each([
    'docs/static/nothing.js',
    'docs/static/..%2f..%2fpackage.json',
    'docs/nothing',
    'docs/%zz',
    'docs/static/%ff',
    'application/%zz',
    'application/sessions/%ff/more',
  ])('answers an unknown address with the decided body: %s', async (path) => {
    const answer = await client.get(path);
    expect([answer.status, errorBodySchema.parse(answer.body).code]).toEqual([404, 'not_found']);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
  });

  it('is for those who have signed in', async () => {
    for (const path of ['openapi.json', 'docs', 'docs/static/swagger-ui.css']) {
      expect((await t.client().get(path)).status).toBe(401);
    }
  });
});
