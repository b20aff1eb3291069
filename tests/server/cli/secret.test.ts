import { TOTP } from 'otpauth';
import { beforeAll, expect, it } from 'vitest';
import { runCommandLine } from '#server/cli/cli.ts';
import { addTotp } from '#server/modules/factors/factors.service.ts';
import { storageKeysAnswer } from '#shared/contract/answers.ts';
import { auditAnswer } from '#shared/contract/audit.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { BUILDER } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { cipherOf } from '#tests/support/user-cipher.ts';

const SECRET = 'GEZDGNBVGY3TQOJQ';
const SESSIONS = 'application/sessions';

describeOnOneDatabase('indexdesk secret', (open, { prepare }) => {
  let t: TestApp;
  let root: TestClient;
  let where: string[];
  beforeAll(async () => {
    const config = await prepare();
    const { dataDir, databaseUrl } = config;
    where = databaseUrl === undefined ? ['--data', dataDir] : ['--database-url', databaseUrl];
    t = await openApp(() => open(config));
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    root = await t.signedIn('root');
  });

  /** Runs the command while the service runs. */
  const run = async (action: string) => {
    const lines: string[] = [];
    const add = (line: string) => void lines.push(line);
    const code = await runCommandLine(['secret', action, ...where], {}, { out: add, err: add });
    return { code, said: lines.join('\n') };
  };
  const keysOf = async (client: TestClient, username: string) => {
    const { body } = await client.get(`application/users/${username}/storagekey`);
    return storageKeysAnswer.parse(body).storageKeys.map(({ key }) => key);
  };

  it('replaces the secret; what was encrypted before stays readable until the older ones go', async () => {
    const { id } = await buildUser(t.database, { username: 'anna' });
    const anna = await t.signedIn('anna');
    const [before] = await keysOf(anna, 'anna');
    const draft = await cipherOf(anna).encrypt('anna', 'half a thought');
    await t.database.write((db) =>
      addTotp(db, id, { secret: SECRET, name: 'App', lastStep: 0 }, BUILDER),
    );
    const first = await t.client().signIn('anna');
    const { challenge } = errorBodySchema.parse(first.body);

    expect(await run('replace')).toMatchObject({ code: 0 });
    const [now, ...older] = await keysOf(anna, 'anna');
    expect(now).not.toBe(before);
    expect(older).toEqual([before]);
    expect(await cipherOf(anna).decrypt('anna', draft)).toBe('half a thought');
    // A sign-in that has begun goes on.
    const totp = new TOTP({ secret: SECRET }).generate();
    expect((await t.client().post(SESSIONS, { challenge, totp })).status).toBe(201);
    const later = await cipherOf(anna).encrypt('anna', 'the other half');

    expect(await run('remove-older')).toEqual({
      code: 0,
      said: 'Older secrets were removed: 1.',
    });
    expect(await keysOf(anna, 'anna')).toEqual([now]);
    expect(await cipherOf(anna).decrypt('anna', later)).toBe('the other half');
    await expect(cipherOf(anna).decrypt('anna', draft)).rejects.toThrow(
      'All promises were rejected',
    );
    // The secrets of authenticator apps were encrypted again.
    const again = errorBodySchema.parse((await t.client().signIn('anna')).body).challenge;
    const next = new TOTP({ secret: SECRET }).generate({ timestamp: Date.now() + 30_000 });
    const signedIn = await t.client().post(SESSIONS, { challenge: again, totp: next });
    expect(signedIn.status).toBe(201);
    expect(await run('remove-older')).toMatchObject({ said: 'There are no older secrets.' });

    const { entries } = auditAnswer.parse((await root.get('configuration/audit')).body);
    expect(entries.filter(({ call }) => call === 'secret')).toMatchObject([
      { changes: [{ name: 'secret', after: 'older removed' }] },
      { changes: [{ name: 'secret', after: 'replaced' }] },
    ]);
  });

  it('says what it can do', async () => {
    expect(await run('show')).toMatchObject({
      code: 2,
      said: expect.stringContaining('secret show: it must be one of replace, remove-older.'),
    });
  });
});
