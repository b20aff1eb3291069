import { beforeAll, expect, it } from 'vitest';
import { buildUser, openApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive } from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';

/** More than PostgreSQL's `integer` holds. */
const HUGE = '99999999999';

describeOnBothDatabases('An id that is greater than any', (open) => {
  let client: TestClient;
  let archive: string;
  beforeAll(async () => {
    const t = await openApp(open);
    archive = archivePath(await buildArchive(t.database, [{ name: 'NAME' }]));
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    client = await t.signedIn('root');
  });

  it.each([
    ['GET', '{archive}/queues'],
    ['GET', '{archive}/bulkedits'],
    ['GET', 'configuration/jobs'],
    ['GET', 'configuration/audit'],
    ['DELETE', '{archive}/views'],
    ['DELETE', '{archive}/indices/NAME/aliases'],
    ['DELETE', 'configuration/system/jobs'],
  ] as const)('is not found: %s %s', async (method, path) => {
    const answer = await client.send(method, `${path.replace('{archive}', archive)}/${HUGE}`);
    expect(answer.status).toBe(404);
  });
});
