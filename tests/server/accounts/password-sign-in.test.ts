import { beforeAll, expect, it } from 'vitest';
import { buildUser, openApp, PASSWORD, type TestApp } from '#tests/support/app.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

describeOnOneDatabase('where passwords are turned off', (open) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await openApp(open, { passwordSignIn: false, trustedProxies: ['loopback', '10.0.0.1'] });
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    await buildUser(t.database, { username: 'clerk' });
  });

  const signIn = (username: string, from: string, headers: Record<string, string> = {}) =>
    t.client().signIn(username, PASSWORD, { remoteAddress: from, headers });

  it('only administrators sign in, on the machine of the service', async () => {
    for (const local of ['127.0.0.1', '127.3.2.1', '::1', '::ffff:127.0.0.1']) {
      expect((await signIn('root', local)).status).toBe(201);
    }
    for (const [username, from] of [
      ['clerk', '127.0.0.1'],
      ['root', '192.0.2.1'],
      // A trusted proxy may say that its client is local.
      ['root', '10.0.0.1'],
    ] as const) {
      const answer = await signIn(username, from);
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({ code: 'forbidden' });
    }
    expect((await t.client().signIn('clerk', 'wrong password')).status).toBe(401);
  });

  it.each([
    ['Forwarded', 'for=127.0.0.1'],
    ['X-Forwarded-For', '127.0.0.1'],
    ['X-Forwarded-Host', 'desk.example.com'],
    ['X-Forwarded-Proto', ''],
    ['X-Real-IP', '127.0.0.1'],
    ['Via', '1.1 proxy'],
  ])('no administrator signs in by a request with %s', async (name, value) => {
    const answer = await signIn('root', '127.0.0.1', { [name]: value });
    expect(answer.status).toBe(403);
  });
});
