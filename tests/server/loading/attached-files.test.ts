import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { Database } from '#server/database/database.ts';
import type { DatabaseConfig } from '#server/database/open-database.ts';
import { updateLock } from '#server/database/records/write-records.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { filesByRevision } from '#server/modules/files/files.service.ts';
import { openFileStore } from '#server/modules/files/open-file-store.ts';
import { readHistory } from '#server/modules/history/history.service.ts';
import { insertSession } from '#server/modules/accounts/sessions.store.ts';
import { verifyInstallation } from '#server/modules/verification/verification.service.ts';
import { buildUser } from '#tests/support/app.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import {
  buildFolder,
  findCollection,
  loadFile,
  recordsOf,
  writeFiles,
} from '#tests/support/load.ts';

const folder = buildFolder();

describeOnOneDatabase('a column that names files', (open, { prepare }) => {
  let config: DatabaseConfig;
  let database: Database;
  beforeEach(async () => {
    config = await prepare();
    database = await open(config);
    await writeFiles(folder, { 'scans/a.txt': 'text a', 'scans/b.txt': 'text b' });
  });

  async function load(csv: string, files: object | null = { column: 'scan', separator: '|' }) {
    const documentsFrom = { csv: 'bills.csv', ...(files ? { files } : {}) };
    const archive = {
      guid: 'dddddddd-0000-0000-0000-000000000001',
      table: 'BILLS',
      name: 'Bills',
      indexFields: [{ name: 'NO', type: 'text' }],
      documentsFrom,
    };
    await writeFiles(folder, { 'bills.csv': csv, 'bills.json': { archives: [archive] } });
    return loadFile(database, config.dataDir, join(folder, 'bills.json'));
  }
  const bills = async (): Promise<Archive> => {
    const archive = await findCollection(database, 'BILLS');
    if (archive.kind !== 'archive') throw new Error('BILLS is an archive');
    return archive;
  };
  const namesOf = async (...ids: number[]) => {
    const archive = await bills();
    const files = await database.read((db) => filesByRevision(db, archive, ids));
    return ids.map((id) => (files.get(id) ?? []).map(({ name }) => name));
  };

  it('brings them with new documents', async () => {
    const { failed, said } = await load(
      'revisionId,NO,scan\n1,R-1,scans/a.txt|scans/b.txt\n2,R-2,\n3,R-3,scans/a.txt\n',
    );
    expect(failed).toEqual([]);
    expect(said).toEqual(['Archive BILLS (new): 3 documents new.']);
    expect(await namesOf(1, 2, 3)).toEqual([['a.txt', 'b.txt'], [], ['a.txt']]);
  });

  it('attaches them to documents that exist, each content once, and tells the history', async () => {
    const csv = 'revisionId,NO,scan\n1,R-1,scans/a.txt\n2,R-2,\n';
    await load(csv, null);
    expect(await namesOf(1, 2)).toEqual([[], []]);
    const first = await load(csv);
    expect(first.failed).toEqual([]);
    expect(first.said).toEqual([
      'Archive BILLS: 0 documents new, 2 exist unchanged, 1 file attached to what exists.',
    ]);
    const more = csv.replace('scans/a.txt', 'scans/a.txt|scans/b.txt');
    expect((await load(more)).result?.collections).toMatchObject([{ attached: 1, unchanged: 2 }]);
    for (const again of [csv, more]) {
      expect((await load(again)).result?.collections).toMatchObject([{ attached: 0 }]);
    }
    expect(await namesOf(1, 2)).toEqual([['a.txt', 'b.txt'], []]);

    const archive = await bills();
    const record = (await recordsOf(database, 'BILLS', [1])).get(1);
    expect(record).toMatchObject({ version: 3, changedBy: 'load', values: ['R-1'] });
    const entries = await database.read((db) => readHistory(db, archive, 1));
    expect(entries.map(({ changes }) => changes)).toEqual([
      [{ name: 'document.files', before: ['a.txt'], after: ['a.txt', 'b.txt'] }],
      [{ name: 'document.files', before: [], after: ['a.txt'] }],
      [{ name: 'NO', before: null, after: 'R-1' }],
    ]);
    const lines: string[] = [];
    const quiet = () => undefined;
    const report = { progress: quiet, info: quiet, fail: (line: string) => lines.push(line) };
    const files = openFileStore({ ...config, files: undefined });
    const options = { contents: true, deep: false, since: null };
    await verifyInstallation(database, config, files, options, report);
    expect(lines).toEqual([]);
  });

  it('leaves files of the same name as they are, and does not miss those that were attached', async () => {
    const csv = 'revisionId,NO,scan\n1,R-1,scans/a.txt\n';
    await load(csv);
    await writeFiles(folder, { 'scans/a.txt': 'another text' });
    expect((await load(csv)).result?.collections).toMatchObject([{ attached: 0, different: 1 }]);
    await rm(join(folder, 'scans'), { recursive: true });
    expect((await load(csv)).result?.collections).toMatchObject([
      { attached: 0, different: 1, bad: 0 },
    ]);
    expect(await namesOf(1)).toEqual([['a.txt']]);
  });

  it('is refused where a file or the column is not there, and where the document is locked', async () => {
    await load('revisionId,NO\n1,R-1\n', null);
    const missing = await load('revisionId,NO,scan\n1,R-1,scans/c.txt\n');
    expect(missing.failed[0]).toMatch(
      /^BILLS, bills\.csv, line 2: The file .*scans\/c\.txt does not exist\.$/,
    );
    const other = await load('revisionId,NO\n1,R-1\n');
    expect(other.failed[0]).toBe('bills.csv has no column scan.');
    const archive = await bills();
    const { id } = await buildUser(database, { username: 'anna' });
    await database.write((db) =>
      insertSession(db, {
        id: 'x',
        tokenHash: 'x',
        userId: id,
        address: '127.0.0.1',
        client: null,
        providerSid: null,
        createdAt: 1,
        expiresAt: Number.MAX_SAFE_INTEGER,
      }),
    );
    const lock = { by: 'anna', at: 1, sessionId: 'x' };
    await database.write((db) => updateLock(db, archive, 1, 2, lock));
    const locked = await load('revisionId,NO,scan\n1,R-1,scans/a.txt\n');
    expect(locked.failed[0]).toBe('BILLS, bills.csv, line 2: The document is locked by anna.');
    expect(await namesOf(1)).toEqual([[]]);
  });
});
