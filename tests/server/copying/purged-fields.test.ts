import { describe, expect, it, vi } from 'vitest';
import { addFields } from '#server/database/records/record-tables.ts';
import { copyInstallation } from '#server/modules/copying/copying.service.ts';
import { insertDefinitionJob } from '#server/modules/definition-jobs/job-rows.ts';
import { openFileStore } from '#server/modules/files/open-file-store.ts';
import type { Database } from '#server/database/database.ts';
import type { DatabaseConfig } from '#server/database/open-database.ts';
import { requestedDefinitions } from '#shared/contract/configuration-bodies.ts';
import { parseJson } from '#shared/values/json.ts';
import { buildUser, openApp } from '#tests/support/app.ts';
import { BUILDER, buildArchive, buildRecords } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';

const NO = { name: 'NO', type: 'text' };
const TOTAL = { name: 'TOTAL', type: 'text' };
const SILENT = {
  progress: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  fail: (line: string) => expect.fail(line),
};

function end(database: Database, { dataDir }: DatabaseConfig) {
  return { database, files: openFileStore({ dataDir, files: undefined }), name: 'installation' };
}

describe.each([
  { from: 'sqlite', to: 'postgres' },
  { from: 'postgres', to: 'sqlite' },
] as const)('a copy from $from to $to', { tags: ['postgres'] }, ({ from, to }) => {
  const inOneDirection = from === 'sqlite' ? ['long'] : [];
  const sources = testDatabases(from);
  const targets = testDatabases(to);

  async function openSource() {
    const config = await sources.prepare();
    const database = await sources.open(config);
    const archive = await buildArchive(database, [NO, TOTAL]);
    await buildRecords(database, archive, [['A-1', '5']]);
    await buildUser(database, { username: 'admin', role: 'administrator' });
    const openCopy = async () => {
      const targetConfig = await targets.prepare();
      const target = await targets.open(targetConfig);
      await copyInstallation(end(database, config), end(target, targetConfig), SILENT, 'nothing');
      const { signedIn } = await openApp(() => Promise.resolve(target));
      return new ArchiveAdministration(await signedIn('admin'), archive.name);
    };
    return { database, archive, openCopy };
  }

  it('has no columns of purged fields', { tags: inOneDirection }, async () => {
    const { database, archive, openCopy } = await openSource();
    const { signedIn } = await openApp(() => Promise.resolve(database));
    const admin = await signedIn('admin');
    const source = new ArchiveAdministration(admin, archive.name);
    await source.put([NO]);
    const purged = await admin.post(`${source.path}/fields/TOTAL/purge`, { confirm: 'TOTAL' });
    expect(purged.status).toBe(204);
    const copy = await openCopy();
    expect(await copy.values(1)).toEqual({ NO: 'A-1' });
    expect((await copy.put([NO, { name: 'IBAN', type: 'text' }])).status).toBe(200);
  });

  it(
    'begins a change of a definition again that was adding a column',
    { tags: inOneDirection },
    async () => {
      const { database, archive, openCopy } = await openSource();
      const indexFields = [NO, { ...TOTAL, type: 'integer' }];
      const sent = JSON.stringify({
        archives: [{ table: archive.name, name: archive.name, indexFields }],
      });
      const [requested] = requestedDefinitions.parse(parseJson(sent));
      const [, total] = archive.fields;
      if (!requested || !total) throw new Error('Nothing is wanted.');
      const { wanted } = requested;
      await database.write(async (db) => {
        await addFields(db, archive, [{ ...total, type: 'integer', number: 3 }]);
        const id = await insertDefinitionJob(db, {
          scope: 'archive',
          collectionId: archive.id,
          phase: 'index',
          request: { kind: 'change', wanted, keepsMisfits: false, now: 1 },
          baseVersion: 1,
          actor: BUILDER,
          owner: 'killed',
        });
        await db.k
          .updateTable('definition_jobs')
          .set({ lease_until: 0 })
          .where('id', '=', id)
          .execute();
      });
      const copy = await openCopy();
      await vi.waitFor(async () => expect(await copy.values(1)).toEqual({ NO: 'A-1', TOTAL: 5 }));
    },
  );
});
