/** @module-tag slow */
import { beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '#server/cli/cli.ts';
import type { DatabaseConfig } from '#server/database/open-database.ts';
import { SCHEMA_VERSION } from '#server/database/migrations/migrate.ts';
import { openApp, type TestClient } from '#tests/support/app.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { IS_LONG_RUN, sampled } from '#tests/support/effort.ts';
import { buildFolder } from '#tests/support/load.ts';
import { administer } from '#tests/support/postgres-server.ts';
import {
  contentsOf,
  RELEASE_PASSWORD,
  restoreRelease,
  STORED_RELEASES,
  unpackBackup,
} from '#tests/support/releases.ts';

const LETTERS = 'application/archiveapp/archives/LETTERS';
const PARTNERS = 'application/dataapp/tables/b7a4c1de-7b0f-4a1d-8a63-5c7f1e2d3b42/datasets';

async function run(command: string, ...args: string[]) {
  const [out, err] = [new Array<string>(), new Array<string>()];
  const console = {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
  };
  const code = await runCommandLine([command, ...args], {}, console);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

const placeOf = ({ dataDir, databaseUrl }: DatabaseConfig) => [
  '--data',
  dataDir,
  ...(databaseUrl === undefined ? [] : ['--database-url', databaseUrl]),
];

/** Everything that make.sh wrote, read back by its user. */
async function expectContent(client: TestClient): Promise<void> {
  expect((await client.signIn('anna', RELEASE_PASSWORD)).status).toBe(201);
  const letters = await client.get(`${LETTERS}/index?sort=TITLE`);
  expect(letters.body).toMatchObject({
    archivedocuments: [
      ['3', 'Alpha', -9_007_199_254_740_991],
      ['2', 'beta', null],
      ['1', 'Corrected twice', 3],
    ].map(([revisionId, title, pages]) => ({
      revisionId,
      indexFields: expect.arrayContaining([
        { name: 'TITLE', value: title },
        { name: 'PAGES', value: pages },
      ]),
    })),
  });
  const corrected = await client.get(`${LETTERS}/index?where[SENT][gt]=2024-01-01T00:00:00Z`);
  expect(corrected.text).toContain('{"name":"PRICE","value":12.5}');
  expect(corrected.text).toContain('{"name":"NOTE","value":"one\\ntwo"}');
  expect((await client.get(`${LETTERS}/documents/1`)).text).toContain('été');
  const history = await client.get(`${LETTERS}/documents/1/history`);
  expect(history.text).toMatch(/Corrected twice.*Corrected once.*Grüße aus Łódź/s);
  const search = await client.get(`${LETTERS}/index?q=corrected`);
  expect(search.text).toContain('"revisionId":"1"');
  const partners = await client.get(`${PARTNERS}?sort=name`);
  expect(partners.body).toMatchObject({
    datasets: [
      { jrid: '4', name: 'Added & Sons', since: '2024-02-29' },
      { jrid: '1', name: 'Hill & Sons' },
      { jrid: '3', name: 'Österle' },
    ],
  });
}

describeOnBothDatabases('what an earlier release stored', (open, { prepare, dialect }) => {
  // A long run upgrades those between the oldest and the newest as well.
  const atEnds = STORED_RELEASES.filter((_, i, all) => i === 0 || i === all.length - 1);
  describe.each(IS_LONG_RUN ? STORED_RELEASES : atEnds)('$name', (release) => {
    let config: DatabaseConfig;
    beforeAll(async () => {
      config = await prepare();
      await restoreRelease(release, config);
    });

    it('is refused by what does not upgrade it, and upgraded once it is told how', async () => {
      const before = await contentsOf(config.dataDir);
      const steps = SCHEMA_VERSION - release.schema;
      const dryRun = await run('migrate', '--dry-run', ...placeOf(config));
      expect(dryRun).toMatchObject({ code: 0, err: '' });
      expect(dryRun.out).toContain(
        `The database has version ${release.schema}. An upgrade to version ${SCHEMA_VERSION} would\n`,
      );
      expect(dryRun.out.match(/^ {2}\d+: /gm)).toHaveLength(steps);
      expect(dryRun.out).toMatch(/\nNothing was changed\.$/);
      const refused = await run('verify', ...placeOf(config));
      expect(refused.code).toBe(1);
      expect(refused.err).toContain(
        `The database has version ${release.schema}, but this Indexdesk needs version ${SCHEMA_VERSION}.`,
      );
      expect(await contentsOf(config.dataDir)).toEqual(before);
      // Also in a PostgreSQL database.
      expect(await run('migrate', '--dry-run', ...placeOf(config))).toEqual(dryRun);

      const upgraded = await run('migrate', ...placeOf(config));
      expect(upgraded).toMatchObject({ code: 0, err: '' });
      expect(upgraded.out).toContain(`from version ${release.schema} to version ${SCHEMA_VERSION}`);
      expect(upgraded.out.match(/^ {2}\d+: /gm)).toHaveLength(steps);
      expect((await run('migrate', '--dry-run', ...placeOf(config))).out).toContain(
        'Nothing to do.',
      );
      const verified = await run('verify', '--contents', '--deep', ...placeOf(config));
      expect([verified.code, verified.err]).toEqual([0, expect.any(String)]);
    });

    it('is read, found and corrected by its users after the upgrade', async () => {
      const { dataDir } = config;
      const app = await openApp(() => open(config), { dataDir });
      const client = app.client();
      await expectContent(client);
      const file = await client.get(`${LETTERS}/documents/1/files`);
      expect([file.status, file.text]).toEqual([200, expect.stringContaining('letter.txt')]);
      // The first release had no views.
      const views = await client.get(`${LETTERS}/views`);
      expect(views.body).toMatchObject({
        views: release.hasBackup ? [{ name: 'Without a price', shared: true, owner: 'anna' }] : [],
      });
      const saved = await client.patch(`${LETTERS}/documents/1/indexdata`, {
        indexFields: [{ name: 'TITLE', value: 'Corrected by the newer one' }],
      });
      expect(saved.status).toBe(200);
      const reader = app.client();
      expect((await reader.signIn('rita', RELEASE_PASSWORD)).status).toBe(201);
      const forbidden = await reader.patch(`${LETTERS}/documents/1/indexdata`, {
        indexFields: [{ name: 'TITLE', value: 'Not by a reader' }],
      });
      expect(forbidden.status).toBe(403);
      const found = await client.get(`${LETTERS}/index?q=newer`);
      expect(found.text).toContain('"revisionId":"1"');
    });
  });

  const ofBackups = STORED_RELEASES.filter(({ hasBackup }) => hasBackup);
  describe.each(sampled(1, ofBackups))('a backup of $name', (release) => {
    it('is checked, restored, upgraded and read', async () => {
      const file = await unpackBackup(release, buildFolder());
      expect(await run('restore', file, '--check')).toMatchObject({ code: 0, err: '' });
      const config = await prepare();
      // Made without tables, as the administrator makes it.
      const place = placeOf(config);
      if (config.databaseUrl !== undefined) {
        await administer(config.databaseUrl, (client) =>
          client.query('drop schema public cascade; create schema public'),
        );
      }
      const restored = await run('restore', file, ...place);
      expect([restored.code, restored.err]).toEqual([0, expect.any(String)]);
      const upgraded = await run('migrate', ...place);
      expect([upgraded.code, upgraded.err]).toEqual([0, expect.any(String)]);
      expect(upgraded.out).toContain(
        dialect === 'sqlite' ? `to version ${SCHEMA_VERSION}:` : 'Nothing to do.',
      );
      const verified = await run('verify', '--contents', ...place);
      expect([verified.code, verified.err]).toEqual([0, expect.any(String)]);
    });
  });
});
