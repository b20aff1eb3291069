import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommandLine } from '#server/cli/cli.ts';
import { openDatabase } from '#server/database/open-database.ts';
import { buildUser, openApp } from '#tests/support/app.ts';
import { buildTable, datasetsPath } from '#tests/support/builders.ts';
import { formOf } from '#tests/support/forms.ts';
import { buildFolder } from '#tests/support/load.ts';
import { isMissing } from '#tests/support/skipping.ts';
import { mountDisk, obstacleToDisks } from '#tests/support/small-disk.ts';
import { archiveWith, patch, refusal } from './revision-of-note.ts';

const withoutDisks = isMissing(obstacleToDisks());

describe.skipIf(withoutDisks)('a full disk', () => {
  it('is told to who writes, loses nothing that was answered, and reads go on', async () => {
    const { path: dataDir } = mountDisk(12);
    const database = await openDatabase({ dataDir });
    const { signedIn } = await openApp(() => Promise.resolve(database), { dataDir });
    const archive = await archiveWith(database, 'first');
    await buildUser(database, { role: 'administrator' });
    const client = await signedIn('clerk');
    const filler = join(dataDir, 'filler');
    // Until not a byte is left.
    await expect(writeFile(filler, Buffer.alloc(12 * 1024 * 1024))).rejects.toThrow('ENOSPC');

    let [saved, answer] = ['first', await patch(client, archive, 'a')];
    for (let i = 0; answer.status === 200; i += 1) {
      expect(i).toBeLessThan(200);
      saved = `${i} ${'x'.repeat(50_000)}`;
      answer = await patch(client, archive, saved);
      if (answer.status === 200) continue;
      saved = i === 0 ? 'a' : `${i - 1} ${'x'.repeat(50_000)}`;
    }
    expect(answer).toMatchObject(refusal(/^The disk of the service is full/));
    const upload = formOf([['files', { name: 'page.bin', bytes: 'x'.repeat(200_000) }]]);
    expect(
      await client.post(`${archive}/documents`, upload.body, { headers: upload.headers }),
    ).toMatchObject(refusal(/^The disk of the service is full/));
    const shown = await client.get(`${archive}/documents/1`);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain(JSON.stringify(saved));
    expect((await client.get(`${archive}/index?q=first`)).status).toBe(200);

    await rm(filler);
    expect((await patch(client, archive, 'there is room again')).status).toBe(200);
    await database.close();
    const again = await openDatabase({ dataDir });
    expect(
      JSON.stringify(await again.read((db) => db.k.selectFrom('history').selectAll().execute())),
    ).toContain('there is room again');
    await again.close();
  });
});

describe.skipIf(withoutDisks)('a full disk on which many write at once', () => {
  it('refuses nothing because of what was not saved', async () => {
    const { path: dataDir } = mountDisk(12);
    const database = await openDatabase({ dataDir });
    const { signedIn } = await openApp(() => Promise.resolve(database), { dataDir });
    const archive = await archiveWith(database, 'first');
    const table = await buildTable(database, [{ name: 'no', unique: true }]);
    await buildUser(database, { role: 'administrator' });
    const client = await signedIn('clerk');
    await expect(
      writeFile(join(dataDir, 'filler'), Buffer.alloc(12 * 1024 * 1024)),
    ).rejects.toThrow('ENOSPC');
    const large = 'x'.repeat(900_000);
    const headers = {
      'if-match': String((await client.get(`${archive}/documents/1`)).headers['etag']),
    };
    const changes = Array.from({ length: 12 }, (_, i) =>
      client.patch(
        `${archive}/documents/1/indexdata`,
        { indexFields: [{ name: 'NOTE', value: `${i} ${large}` }] },
        { headers },
      ),
    );
    const creations = Array.from({ length: 12 }, () =>
      client.post(datasetsPath(table), { dataset: { no: large } }),
    );
    const answers = await Promise.all([...changes, ...creations]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect((await client.get(`${archive}/documents/1`)).text).toContain('"first"');
    expect((await client.get(`${datasetsPath(table)}/count`)).body).toEqual({ count: 0 });
    await rm(join(dataDir, 'filler'));
    expect((await patch(client, archive, 'there is room again')).status).toBe(200);
    await database.close();
  });
});

describe.skipIf(withoutDisks)('a full disk that a backup is to be written to', () => {
  it('is told with the place and the remedy, and nothing stays', async () => {
    const dataDir = buildFolder();
    await (await openDatabase({ dataDir })).close();
    const disk = mountDisk(1);
    // What is left is enough to begin.
    await writeFile(join(disk.path, 'filler'), Buffer.alloc(950 * 1024));
    const err: string[] = [];
    const console = { out: () => undefined, err: (line: string) => void err.push(line) };
    const file = join(disk.path, 'backup.tar');
    expect(await runCommandLine(['backup', file, '--data', dataDir], {}, console)).toBe(1);
    expect(err.join('\n')).toMatch(
      /^A disk is full: .*of the file that the command makes.* Free some space, and run/,
    );
    expect(await readdir(disk.path)).toEqual(['filler']);
  });
});

describe.skipIf(withoutDisks)('a disk that can only be read', () => {
  it('is told with the remedy when the service is to start', async () => {
    const disk = mountDisk(12);
    const database = await openDatabase({ dataDir: disk.path });
    await database.close();
    disk.makeReadOnly();
    const err: string[] = [];
    const console = { out: () => undefined, err: (line: string) => void err.push(line) };
    const code = await runCommandLine(['serve', '--port', '0', '--data', disk.path], {}, console);
    expect(code).toBe(1);
    expect(err.join('\n')).toMatch(/cannot be written to\. Give this user the right/);
    await expect(openDatabase({ dataDir: disk.path })).rejects.toThrow(
      /cannot be written to\. Give this user the right|cannot be opened\. Check the disk, and the rights/,
    );
  });
});
