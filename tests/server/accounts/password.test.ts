import { beforeAll, expect, it } from 'vitest';
import { buildUser, openApp, PASSWORD, type TestApp } from '#tests/support/app.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { withCostOfService } from '#tests/support/hashing-cost.ts';

const NEW = 'a new and better one';

describeOnOneDatabase('changing one’s own password', (open) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await openApp(open);
  });

  let users = 0;
  async function someone() {
    const username = `clerk-${++users}`;
    await buildUser(t.database, { username });
    return {
      username,
      client: await t.signedIn(username),
      path: `application/users/${username}/password`,
    };
  }

  it('ends all other sessions', async () => {
    const { username, client, path } = await someone();
    const other = await t.signedIn(username);
    const answer = await client.put(path, { current: PASSWORD, password: NEW });
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect((await client.get('application/sessions')).status).toBe(200);
    expect((await other.get('application/sessions')).status).toBe(401);
    for (const password of [PASSWORD, NEW.toUpperCase(), `${NEW} `, NEW.slice(0, -1)]) {
      expect((await t.client().signIn(username, password)).status).toBe(401);
    }
    expect((await t.client().signIn(username, NEW)).status).toBe(201);
  });

  it('tells all that is wrong at once', async () => {
    const { username, client, path } = await someone();
    let current = PASSWORD;
    const answer = await client.put(path, { current: 'wrong', password: 'short' });
    expect(answer).toMatchObject({
      status: 422,
      body: {
        code: 'validation_failed',
        errors: {
          current: ['This is not your current password.'],
          password: ['The password must have at least 10 characters.'],
        },
      },
    });
    for (const password of [
      'passwordpassword',
      'Password123',
      'aaaaaaaaaaaa',
      '0123456789',
      'half \ud800 a pair',
      'Password2027!',
      'P\u00e1ssw\u00f6rd-2027',
      'Qwertyuiop!!',
      'Liverpool#1892',
      'Willkommen2027',
      'Sommer2027!!',
      'welcome123456',
      'letmein!!!!!!',
      'monkeymonkey',
      'hallohallo',
      'iloveyou2027',
      '1q2w3e4r5t6y',
      'Ｐａｓｓｗｏｒｄ１２３',
      'Schmetterling7',
      'Photosynthesis',
      'Wholesome!!!',
      'Fahrrad-2027',
      'Anneliese2027',
      'Chloé-2027!!',
      'Parapluie-12',
      'Indexdesk 2027',
      'admin.Index-Desk#1',
    ]) {
      const refused = await client.put(path, { current: PASSWORD, password });
      expect([password, refused.status]).toEqual([password, 422]);
      expect(refused.body).toMatchObject({ errors: { password: [expect.any(String)] } });
      const checked = await client.post(`${path}/checks`, { password });
      expect(checked.status).toBe(422);
      expect(Object(checked.body).errors).toEqual(Object(refused.body).errors);
    }
    expect((await client.post(`${path}/checks`, { password: NEW })).status).toBe(204);
    for (const password of [
      `${username} likes rain`,
      'Password of the seven seas',
      '83 rue Monge 7',
      'indexdesk and seven rivers',
      'one sentence of sixty-four characters or more, as phrases may become',
    ]) {
      const taken = await client.put(path, { current, password });
      expect([password, taken.status]).toEqual([password, 204]);
      current = password;
    }
    const ten = '𝒶𝒷𝒸𝒹𝑒𝒻𝑔𝒽𝒾𝓀';
    expect((await client.put(path, { current, password: ten.slice(2) })).status).toBe(422);
    expect((await client.put(path, { current, password: ten })).status).toBe(204);
  });

  it('is for oneself alone', async () => {
    const { client } = await someone();
    const { username } = await someone();
    for (const name of [username, 'nobody']) {
      const answer = await client.put(`application/users/${name}/password`, {
        current: PASSWORD,
        password: NEW,
      });
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
  });

  it('makes guessing the current one slow', async () => {
    const { client, path, username } = await someone();
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) {
      statuses.push((await client.put(path, { current: `guess ${i}`, password: NEW })).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
    // Another session of the user is another matter.
    const other = await t.signedIn(username);
    expect((await other.put(path, { current: PASSWORD, password: NEW })).status).toBe(204);
  });

  it('is done once for one key, and keeps nothing to guess from', async () => {
    const { client, path } = await someone();
    const headers = { 'idempotency-key': 'change-1' };
    const body = { current: PASSWORD, password: NEW };
    expect((await client.put(path, body, { headers })).status).toBe(204);
    expect((await client.put(path, body, { headers })).status).toBe(204);
    const other = await client.put(path, { current: PASSWORD, password: `${NEW}!` }, { headers });
    expect(other).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const kept = await t.database.read((db) =>
      db.k.selectFrom('stored_answers').selectAll().execute(),
    );
    const { createHash } = await import('node:crypto');
    for (const { fingerprint } of kept) {
      for (const encoding of ['hex', 'base64', 'base64url'] as const) {
        const fast = createHash('sha256').update(JSON.stringify(body)).digest(encoding);
        expect(fingerprint).not.toContain(fast);
      }
    }
  });

  it('stores it as Argon2id with a salt of its own', async () => {
    const people = await Promise.all([someone(), someone()]);
    await withCostOfService(async () => {
      for (const { client, path } of people) {
        const answer = await client.put(path, { current: PASSWORD, password: NEW });
        expect(answer.status).toBe(204);
      }
    });
    const names = people.map(({ username }) => username);
    const rows = await t.database.read((db) =>
      db.k.selectFrom('users').select('password_hash').where('username', 'in', names).execute(),
    );
    for (const { password_hash } of rows) {
      expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    }
    expect(new Set(rows.map(({ password_hash }) => password_hash)).size).toBe(2);
  });
});
