import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import {
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '#server/cli/cli.ts';
import type { Database } from '#server/database/database.ts';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';
import { lockDataDirectory, RESTORING_FILE } from '#server/database/data-directory.ts';
import { TarWriter } from '#server/modules/backups/tar.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { sampled } from '#tests/support/effort.ts';
import { buildFolder } from '#tests/support/load.ts';
import { contentOf, fillInstallation, SCAN_LOCATION } from '../copying/content.ts';

/** What a command says on a machine that lets it take its time. */
const PROGRESS = /^(?:Copying|Packing|Checking|Restoring|Indexing) /;

/** Runs a command within this process; its progress is left out. */
async function run(...args: string[]) {
  const [out, err] = [new Array<string>(), new Array<string>()];
  const code = await runCommandLine(
    args,
    {},
    {
      out: (line) => void out.push(line),
      err: (line) => void (PROGRESS.test(line) || err.push(line)),
    },
  );
  return { code, out: out.join('\n'), err: err.join('\n') };
}

function placed({ dataDir, databaseUrl }: DatabaseConfig): string[] {
  return ['--data', dataDir, ...(databaseUrl === undefined ? [] : ['--database-url', databaseUrl])];
}

describeOnBothDatabases('a backup', (openDb, { prepare, dialect, onOneDatabase }) => {
  let source: DatabaseConfig;
  let database: Database;
  let file = '';
  beforeAll(async () => {
    source = await prepare();
    database = await openDb(source);
    await fillInstallation(database, source.dataDir, buildFolder());
    file = join(buildFolder(), 'all.tar');
    const made = await run('backup', file, ...placed(source));
    if (made.code !== 0) throw new Error(made.err);
  });

  it('is a tar file of a database, the files and their sums, with nothing beside it', async () => {
    const { stdout } = await promisify(execFile)('tar', ['-tf', file]);
    expect(stdout.trim().split('\n')).toEqual([
      'database.sqlite',
      `files/${SCAN_LOCATION}`,
      'manifest.jsonl',
    ]);
    expect(await readdir(join(file, '..'))).toEqual(['all.tar']);
    expect(await run('restore', file, '--check')).toMatchObject({ code: 0, err: '' });
  });

  it(
    'leaves nothing behind of one that was killed, and touches none that is being made',
    onOneDatabase,
    async () => {
      const folder = buildFolder();
      const dead = join(folder, 'old.tar.partial-abc123');
      const alive = join(folder, 'now.tar.partial-abc123');
      const strange = join(folder, 'other.partial-abc123');
      (await lockDataDirectory(dead)).release();
      await writeFile(join(dead, 'backup.tar'), 'half');
      const lock = await lockDataDirectory(alive);
      await mkdir(strange);
      await writeFile(join(strange, 'mine'), '');
      const made = await run('backup', join(folder, 'new.tar'), ...placed(source));
      expect(made).toMatchObject({ code: 0, err: '' });
      expect((await readdir(folder)).sort()).toEqual([
        'new.tar',
        'now.tar.partial-abc123',
        'other.partial-abc123',
      ]);
      lock.release();
    },
  );

  it('is restored to what it was made of', { tags: ['slow'] }, async () => {
    const content = await contentOf(database);
    // The file of one is the same as that of the other: to SQLite only from PostgreSQL.
    const other = { dataDir: join(buildFolder(), 'new') };
    const targets = dialect === 'sqlite' ? [await prepare()] : [await prepare(), other];
    for (const target of targets) {
      const { code, err } = await run('restore', file, ...placed(target));
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(await readFile(join(target.dataDir, 'files', SCAN_LOCATION), 'utf8')).toBe(
        'a page of paper',
      );
      const restored = await openDb(target);
      expect(await contentOf(restored)).toEqual(content);
    }
  });

  it('holds one moment of a database that is written to', { tags: ['long'] }, async () => {
    const busy = await prepare();
    const written = await openDb(busy);
    await written.write((db) =>
      db.k
        .insertInto('sign_in_failures')
        .values(['a', 'b'].map((key) => ({ key, failures: 0, last_at: 0 })))
        .execute(),
    );
    const stop = new AbortController();
    let rounds = 0;
    const writing = (async () => {
      while (!stop.signal.aborted) {
        rounds += 1;
        // Two rows that are always equal, changed one after the other.
        await written.write(async (db) => {
          const next = db.k.updateTable('sign_in_failures').set({ failures: rounds });
          await next.where('key', '=', 'a').execute();
          await next.where('key', '=', 'b').execute();
        });
      }
    })();
    for (let i = 0; i < 3; i += 1) {
      const path = join(buildFolder(), 'busy.tar');
      expect(await run('backup', path, ...placed(busy))).toMatchObject({ code: 0 });
      const target = { dataDir: join(buildFolder(), 'new') };
      expect(await run('restore', path, ...placed(target))).toMatchObject({ code: 0 });
      const restored = await openDb(target);
      const rows = await restored.read((db) =>
        db.k.selectFrom('sign_in_failures').select('failures').execute(),
      );
      expect(rows[0]?.failures).toBeGreaterThan(0);
      expect(rows[0]).toEqual(rows[1]);
    }
    stop.abort();
    await writing;
  });

  it('replaces no file', async () => {
    const bytes = await readFile(file);
    const { code, err } = await run('backup', file, ...placed(source));
    expect(code).toBe(1);
    expect(err).toContain('already exists');
    expect((await readFile(file)).equals(bytes)).toBe(true);
  });

  it(
    'says which documents’ files are missing or damaged, and holds all else',
    { tags: ['long'] },
    async () => {
      const broken = await prepare();
      await fillInstallation(await openDb(broken), broken.dataDir, buildFolder());
      const scan = join(broken.dataDir, 'files', SCAN_LOCATION);
      for (const damage of [() => writeFile(scan, 'a page of PAPER'), () => rm(scan)]) {
        await damage();
        const path = join(buildFolder(), 'most.tar');
        const made = await run('backup', path, ...placed(broken));
        expect(made.code).toBe(1);
        expect(made.err).toContain(`The file files/${SCAN_LOCATION} is missing or damaged.`);
        const { code, out } = await run('restore', path, '--check');
        expect({ code, out }).toEqual({
          code: 0,
          out: expect.stringContaining('without 1 file missing'),
        });
      }
    },
  );

  it('is refused wherever a byte is another one or the end is missing, before anything is written', async () => {
    const { size } = await stat(file);
    const copy = join(buildFolder(), 'damaged.tar');
    const dataDir = join(buildFolder(), 'new');
    const places = [0, Math.floor(size / 2), size - 1_300, 130, 512, 4_000, size - 1_600];
    for (const place of sampled(3, places)) {
      await copyFile(file, copy);
      const handle = await open(copy, 'r+');
      const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, place);
      await handle.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, place);
      await handle.close();
      const { code, err } = await run('restore', copy, '--data', dataDir);
      expect({ place, code, err }).toEqual({
        place,
        code: 1,
        err: expect.stringContaining('not a complete backup'),
      });
    }
    const lengths = [0, Math.floor(size / 2), size - 1_024, 100, 512, size - 2_000];
    for (const length of sampled(3, lengths)) {
      await copyFile(file, copy);
      await truncate(copy, length);
      const { code, err } = await run('restore', copy, '--data', dataDir);
      expect({ length, code, err }).toEqual({
        length,
        code: 1,
        err: expect.stringContaining('not a complete backup'),
      });
    }
    await expect(readdir(dataDir)).rejects.toThrow('ENOENT');
  });

  it('is restored only into what is empty', async () => {
    const before = await contentOf(database);
    const { code, err } = await run('restore', file, ...placed(source));
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('is not empty') });
    expect(await contentOf(database)).toEqual(before);
  });

  it(
    'is restored anew where that was cut off, and nothing opens the half',
    { tags: ['long'] },
    async () => {
      const target = await prepare();
      await writeFile(join(target.dataDir, RESTORING_FILE), '');
      await writeFile(join(target.dataDir, 'indexdesk.sqlite'), 'half');
      await expect(openDatabase(target)).rejects.toThrow('is an unfinished restore. Run the same');
      expect(await run('restore', file, ...placed(target))).toMatchObject({ code: 0, err: '' });
      expect(await contentOf(await openDb(target))).toEqual(await contentOf(database));
    },
  );

  it.runIf(dialect === 'sqlite')('is not made of a damaged database', async () => {
    const broken = await prepare();
    const whole = await openDatabase(broken);
    await fillInstallation(whole, broken.dataDir, buildFolder());
    await whole.close();
    const path = join(broken.dataDir, 'indexdesk.sqlite');
    const handle = await open(path, 'r+');
    const { size } = await handle.stat();
    for (let at = 40_960; at < size; at += 40_960)
      await handle.write(Buffer.alloc(64, 0xa5), 0, 64, at);
    await handle.close();
    const to = join(buildFolder(), 'none.tar');
    const { code, err } = await run('backup', to, ...placed(broken));
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/is damaged .*no backup was made/),
    });
    expect(await readdir(join(to, '..'))).toEqual([]);
  });
});

describe('a backup of a database of a newer version', () => {
  it('is left to the newer program, and makes no file', async () => {
    const dataDir = buildFolder();
    const database = await openDatabase({ dataDir });
    await database.write((db) =>
      db.k
        .updateTable('installation')
        .set({ value: '1000' })
        .where('key', '=', 'schema_version')
        .execute(),
    );
    await database.close();
    const target = buildFolder();
    const { code, err } = await run('backup', join(target, 'all.tar'), '--data', dataDir);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/has version 1000, .* with the newer Indexdesk/),
    });
    expect(await readdir(target)).toEqual([]);
  });
});

describe('a backup of somebody else', () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

  async function build(names: readonly string[], schemaVersion: number): Promise<string> {
    const path = join(buildFolder(), 'foreign.tar');
    const file = await open(path, 'w');
    const tar = new TarWriter(file);
    const text = 'x';
    const lines: object[] = [
      { format: 'indexdesk backup 1', version: '9.9.9', schemaVersion, createdAt: 'today' },
    ];
    async function* bytesOf(content: string) {
      yield Buffer.from(content);
    }
    for (const name of names) {
      await tar.add(name, 1, bytesOf(text));
      lines.push({ name, size: 1, sha256: sha256(text) });
    }
    const manifest = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await tar.add('manifest.jsonl', manifest.length, bytesOf(manifest));
    await tar.end();
    await file.close();
    return path;
  }

  it.each([
    [['database.sqlite', 'files/../../../evil'], 1, 'not a complete backup'],
    [['/etc/evil'], 1, 'not a complete backup'],
    [[], 1, 'not a complete backup'],
    [['database.sqlite'], 1_000, 'which is newer'],
  ])('with %j of version %i is refused', async (names, version, message) => {
    const path = await build(names, version);
    const dataDir = join(buildFolder(), 'new');
    const { code, err } = await run('restore', path, '--data', dataDir);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(message) });
    await expect(readdir(dataDir)).rejects.toThrow('ENOENT');
  });
});
