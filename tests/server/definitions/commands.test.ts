/** @module-tag slow */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCommandLine } from '#server/cli/cli.ts';
import { buildUser, openApp } from '#tests/support/app.ts';
import { buildArchive, buildRecords } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { run as runProgram } from '../cli/program.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';

describeOnOneDatabase('commands about definitions', (_, { open, prepare }) => {
  it('apply a changed definition file while the service runs, and retire and restore', async () => {
    const config = await prepare();
    const t = await openApp(() => open(config), { dataDir: config.dataDir });
    const NO = { name: 'NO', type: 'text' };
    const built = await buildArchive(t.database, [NO, { name: 'TOTAL', type: 'text' }], ['Tag']);
    await buildRecords(t.database, built, [
      ['A-1', '1,5'],
      ['A-2', 'free'],
    ]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const archive = new ArchiveAdministration(await t.signedIn('admin'), built.name);
    const folder = await mkdtemp(join(tmpdir(), 'indexdesk-define-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'changed.json');
    const { guid, name } = built;
    const indexFields = [
      { ...NO, name: 'NUMBER', renamedFrom: 'NO' },
      { name: 'TOTAL', type: 'decimal', readAs: 'de-DE' },
    ];
    const archives = [{ guid, table: name, name, indexFields, documents: [] }];
    await writeFile(file, JSON.stringify({ archives, users: [] }));
    const place = [
      '--data',
      config.dataDir,
      ...(config.databaseUrl === undefined ? [] : ['--database-url', config.databaseUrl]),
    ];
    const run = async (...args: string[]) => {
      const lines: string[] = [];
      const tell = (line: string) => void lines.push(line);
      const code = await runCommandLine([...args, ...place], {}, { out: tell, err: tell });
      return { code, told: lines.join('\n') };
    };

    const missing = await run('define', join(folder, 'none.json'));
    expect([missing.code, missing.told]).toEqual([1, expect.not.stringContaining('ENOENT')]);
    const broken = join(folder, 'broken.json');
    await writeFile(broken, '{"archives": [');
    expect(await run('define', broken)).toMatchObject({
      code: 1,
      told: expect.stringContaining('is not JSON'),
    });
    const checks = [{ name: 'MORE', rule: 'GROSS > 0' }];
    await writeFile(broken, JSON.stringify({ archives: [{ ...archives[0], checks }] }));
    expect(await run('define', broken)).toMatchObject({
      code: 1,
      told: expect.stringMatching(/^\w+, checks\.MORE\.rule: Line 1, column 1: /),
    });
    await writeFile(broken, JSON.stringify({ archives: [{ ...archives[0], unknown: 1 }] }));
    expect((await run('define', broken)).told).toContain('archives[0]');

    const dry = await run('define', file, '--dry-run');
    expect(dry).toMatchObject({ code: 1 });
    expect(dry.told).toContain('change TOTAL (type): 2 values, 1 misfit');
    expect((await archive.get()).version).toBe(1);
    expect(await run('define', file)).toMatchObject({ code: 1 });
    // In a process of its own, which has nothing to do while the job runs but to wait for it.
    expect(await runProgram(['define', file, '--keep-misfits', ...place])).toMatchObject({
      code: 0,
      out: expect.stringContaining('change TOTAL (type)'),
    });
    const plain = [
      {
        ...archives[0],
        indexFields: [
          { name: 'NUMBER', type: 'text' },
          { name: 'TOTAL', type: 'decimal' },
        ],
      },
    ];
    await writeFile(file, JSON.stringify({ archives: plain }));
    expect((await run('define', file)).code).toBe(0);
    expect((await archive.get()).version).toBe(2);

    expect(await run('archive', 'retire', name)).toMatchObject({ code: 0 });
    expect((await archive.get()).retiredAt).not.toBeNull();
    expect(await run('archive', 'restore', guid)).toMatchObject({ code: 0 });
    expect((await archive.get()).retiredAt).toBeNull();
    expect(await run('archive', 'lose', name)).toMatchObject({ code: 2 });

    expect((await archive.put([{ name: 'NUMBER', type: 'text' }])).status).toBe(200);
    const field = ['archive', 'purge', name, '--field', 'TOTAL'];
    expect((await run(...field, '--confirm', 'NUMBER')).code).not.toBe(0);
    expect(await run(...field, '--confirm', 'TOTAL')).toMatchObject({ code: 0 });
    expect((await archive.get()).indexFields.map((one) => one.name)).not.toContain('TOTAL');
    const keyword = ['archive', 'purge', name, '--field', 'keyword.TAG'];
    expect((await run(...keyword, '--confirm', 'keyword.TAG')).told).toContain(
      '--confirm keyword.Tag',
    );
    expect(await run(...keyword, '--confirm', 'keyword.Tag')).toMatchObject({ code: 0 });
    expect((await archive.get()).keywordFields).toEqual([]);
    expect(await run('archive', 'purge', name)).toMatchObject({
      code: 2,
      told: expect.stringContaining(`--confirm ${name}`),
    });
    expect(await run('archive', 'purge', name, '--confirm', name)).toMatchObject({ code: 0 });
    await expect(archive.get()).rejects.toThrow(/archives/);
  });
});
