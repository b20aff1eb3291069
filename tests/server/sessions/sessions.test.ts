import { beforeAll, expect, it } from 'vitest';
import { sessionsAnswer } from '#shared/answers.ts';
import { buildUser, openApp, type TestApp } from '#tests/support/app.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';

describeOnBothDatabases('sessions', (open) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await openApp(open);
    await buildUser(t.database);
  });

  it('signs in, tells the session, signs out', async () => {
    const client = t.client();
    expect((await client.get('application/sessions')).status).toBe(401);
    const answer = await client.signIn('Clerk');
    expect(answer.status).toBe(201);
    const [session] = sessionsAnswer.parse(answer.body).sessions;
    expect(session).toMatchObject({ username: 'clerk', displayName: 'A Clerk', role: 'clerk' });
    const again = await client.get('application/sessions');
    expect(again.status).toBe(200);
    expect(again.body).toEqual(answer.body);
    const out = await client.delete('application/sessions');
    expect(out.status).toBe(204);
    expect((await client.get('application/sessions')).status).toBe(401);
  });
});
