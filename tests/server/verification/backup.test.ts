import { open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { runCommandLine } from '#server/cli/cli.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { buildFolder } from '#tests/support/load.ts';
import { buildInstallation, tamper, type Installation } from './installation.ts';

/** What the commands say on a machine that lets them take their time. */
const PROGRESS = /^(?:Copying|Packing|Checking|The database|Files)\b|: [\d,]+ entr(?:y|ies)$/;

describeOnOneDatabase('verify of a backup', (_, databases) => {
  let t: Installation;
  beforeAll(async () => {
    t = await buildInstallation(databases);
  });
  afterEach(() => t.restore());

  async function run(...args: string[]) {
    const [out, err]: [string[], string[]] = [[], []];
    const code = await runCommandLine(
      args,
      { INDEXDESK_DATA: t.config.dataDir, INDEXDESK_DATABASE_URL: t.config.databaseUrl },
      {
        out: (line) => void out.push(line),
        err: (line) => void (PROGRESS.test(line) || err.push(line)),
      },
    );
    return { code, out: out.join('\n'), err: err.join('\n') };
  }
  async function backUp(): Promise<string> {
    const file = join(buildFolder(), 'all.tar');
    const made = await run('backup', file);
    expect(made).toMatchObject({ code: 0 });
    return file;
  }

  it('finds nothing in a good one, up to a head that was kept, and leaves nothing behind', async () => {
    const { out: head } = await run('verify', '--export');
    const file = await backUp();
    // It is not asked what is there now.
    await tamper(t.database, (db) =>
      db.k.deleteFrom('history').where('scope', '=', 'table').execute(),
    );
    expect((await run('verify')).code).toBe(1);
    const temporary = buildFolder();
    vi.stubEnv('TMPDIR', temporary);
    try {
      const good = await run('verify', '--backup', file, '--since', head, '--deep');
      expect(good).toMatchObject({ code: 0, err: '' });
      expect(good.out).toMatch(/all\.tar is complete: .*Verified: no findings\.$/s);
      expect(good.out).toMatch(/^Files: [1-9]\d* files read and compared: no findings/m);
      expect(await run('verify', '--backup', file, '--export')).toMatchObject({
        code: 0,
        out: head,
      });
      expect(await readdir(temporary)).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('finds what was done to the database of which it was made', async () => {
    const { id } = await t.database.read((db) =>
      db.k.selectFrom('history').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow(),
    );
    await tamper(t.database, (db) =>
      db.k.updateTable('history').set({ address: '10.9.9.9' }).where('id', '=', id).execute(),
    );
    const { code, err } = await run('verify', '--backup', await backUp());
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(
        new RegExp(`history ${id}, position 1: the entry was altered\\.\nNot verified: 1 finding`),
      ),
    });
  });

  it('finds documents’ files that are not in it', async () => {
    const { location } = await t.database.read((db) =>
      db.k.selectFrom('files').select('location').limit(1).executeTakeFirstOrThrow(),
    );
    const path = join(t.config.dataDir, 'files', location);
    const bytes = await readFile(path);
    await rm(path);
    const backup = join(buildFolder(), 'most.tar');
    expect((await run('backup', backup)).code).toBe(1);
    const { code, err } = await run('verify', '--backup', backup);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining(`${location} is missing`),
    });
    await writeFile(path, bytes);
  });

  it('refuses one of which a byte is another one', async () => {
    const backup = await backUp();
    const file = await open(backup, 'r+');
    await file.write(Buffer.from([0xa5]), 0, 1, 70_001);
    await file.close();
    const { code, out, err } = await run('verify', '--backup', backup);
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/all\.tar is not a complete backup\. .* is damaged\./),
    });
    expect((await run('verify', '--backup', join(backup, 'nowhere'))).code).toBe(1);
  });
});
