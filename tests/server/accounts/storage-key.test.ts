import { beforeAll, expect, it } from 'vitest';
import { storageKeysAnswer } from '#shared/contract/answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

describeOnOneDatabase('the key for what a browser stores', (open) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await openApp(open);
    await buildUser(t.database, { username: 'anna' });
    await buildUser(t.database, { username: 'berta' });
  });
  const path = (username: string) => `application/users/${username}/storagekey`;
  const keyOf = async (client: TestClient, username: string) => {
    const answer = await client.get(path(username));
    expect(answer.headers['cache-control']).toBe('no-store');
    const [only] = storageKeysAnswer.parse(answer.body).storageKeys;
    return Buffer.from(only?.key ?? '', 'base64');
  };

  it('has 256 bits, stays the same in another session and differs by user', async () => {
    const key = await keyOf(await t.signedIn('anna'), 'anna');
    expect(key).toHaveLength(32);
    expect(await keyOf(await t.signedIn('anna'), 'ANNA')).toEqual(key);
    expect(await keyOf(await t.signedIn('berta'), 'berta')).not.toEqual(key);
  });

  it('is given to its user alone', async () => {
    const berta = await t.signedIn('berta');
    expect(await berta.get(path('anna'))).toMatchObject({ status: 403 });
    expect(await berta.get(path('nobody'))).toMatchObject({ status: 403 });
    expect(await t.client().get(path('anna'))).toMatchObject({ status: 401 });
  });
});
