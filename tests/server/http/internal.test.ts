import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { defineRoute, type AnyRoute } from '#server/http/route.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { testDatabases } from '#tests/support/databases.ts';

const logLine = z.object({
  msg: z.string(),
  reqId: z.string().optional(),
  account: z.string().optional(),
  accountDigest: z.string().optional(),
  address: z.string().optional(),
  reason: z.string().optional(),
});

const SECRET = 'select * from users where password_hash = /var/lib/indexdesk';

const failing = (method: 'GET' | 'POST'): AnyRoute =>
  defineRoute({
    method,
    path: 'test/failing',
    summary: 'Fail',
    target: 'none',
    access: 'read',
    query: 'none',
    body: null,
    answer: null,
    status: 200,
    mode: method === 'GET' ? 'read' : 'write',
    handle: () => Promise.reject(new Error(SECRET)),
  });

describe('a defect of the service', () => {
  const { open } = testDatabases('sqlite');
  let t: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    t = await openApp(open, { routes: [failing('GET'), failing('POST')], logLevel: 'info' });
    await buildUser(t.database);
    client = await t.signedIn('clerk');
  });
  afterEach(() => vi.restoreAllMocks());

  function logged(): { lines: string[] } {
    const lines: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      lines.push(String(text));
      return true;
    });
    return { lines };
  }

  it('is answered without its cause, which the log tells', async () => {
    for (const method of ['GET', 'POST'] as const) {
      const { lines } = logged();
      const answer = await client.send(method, 'test/failing');
      vi.restoreAllMocks();
      expect(answer.status).toBe(500);
      const { code, errors, requestId } = errorBodySchema.parse(answer.body);
      expect(code).toBe('internal');
      expect(Object.keys(errors)).toEqual(['-']);
      expect(answer.text).not.toMatch(/select|password|\/var|stack|\.ts/);
      const line = lines.find((text) => text.includes(SECRET)) ?? '{}';
      expect(JSON.parse(line)).toMatchObject({
        reqId: requestId,
        level: 50,
        err: { message: SECRET },
      });
    }
  });

  it('logs sign-ins with the account, or a digest of what is none', async () => {
    const { lines } = logged();
    await t.client().signIn('Clerk');
    await t.client().signIn('clerk', 'a secret password');
    for (const name of ['typed-into-the-wrong-field', 'Typed-Into-the-wrong-field']) {
      await t.client().signIn(name, 'a secret password');
    }
    vi.restoreAllMocks();
    const signIns = lines
      .map((line) => logLine.parse(JSON.parse(line)))
      .filter(({ msg }) => msg.startsWith('sign'));
    const reason = 'invalid_credentials';
    const address = '127.0.0.1';
    const accountDigest = expect.stringMatching(/^[\w-]{16}$/);
    expect(signIns).toEqual([
      { msg: 'signed in', account: 'clerk', address, reqId: expect.any(String) },
      { msg: 'sign-in refused', account: 'clerk', address, reason, reqId: expect.any(String) },
      { msg: 'sign-in refused', accountDigest, address, reason, reqId: expect.any(String) },
      { msg: 'sign-in refused', accountDigest, address, reason, reqId: expect.any(String) },
    ]);
    expect(signIns[3]?.accountDigest).toBe(signIns[2]?.accountDigest);
    expect(lines.join('')).not.toMatch(/typed-into|a secret password/i);
  });

  it('tells the log of each request, but nothing secret', async () => {
    const { lines } = logged();
    const token = client.cookies.get('indexdesk_session') ?? '';
    await client.get('application/sessions?q=private-search');
    await t.client().signIn('clerk', 'a secret password');
    await vi.waitFor(() => expect(lines.length).toBeGreaterThanOrEqual(2));
    vi.restoreAllMocks();
    const text = lines.join('');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      method: 'GET',
      path: '/api/rest/v2/application/sessions',
      status: 400,
      error: 'malformed',
      user: 'clerk',
      reqId: expect.any(String),
    });
    expect(text).not.toMatch(/private-search|a secret password|cookie/);
    expect(text).not.toContain(token);
  });
});
