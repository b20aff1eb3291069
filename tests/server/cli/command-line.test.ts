import { nameInvalid } from '#messages/definitions.ts';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from '#server/cli/cli.ts';
import { lockDataDirectory } from '#server/database/data-directory.ts';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';
import { SCHEMA_VERSION } from '#server/database/migrations/migrate.ts';
import { SQLITE_FILE } from '#server/database/sqlite/sqlite-database.ts';
import { readLastPosition } from '#server/modules/history/history.service.ts';
import { readLag } from '#server/modules/history/sequencing-lag.ts';
import { verifyPassword } from '#server/modules/passwords/passwords.service.ts';
import { findCredentials } from '#server/modules/accounts/users.service.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { buildFolder, writeFiles } from '#tests/support/load.ts';
import { revertMigrations, VERSION_BEFORE } from '#tests/support/revert-migrations.ts';
import { administer } from '#tests/support/postgres-server.ts';

/** Runs a command within this process. */
async function run(args: readonly string[], environment: Record<string, string> = {}) {
  const [out, err] = [new Array<string>(), new Array<string>()];
  const code = await runCommandLine(args, environment, {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
  });
  return { code, out, err };
}

describe('the command line', () => {
  it.each([
    [['--help']],
    [['serve', '--help']],
    [['load', '-h']],
    [['user', '--help']],
    [['migrate', '--help']],
    [['copy', '--help']],
    [['backup', '--help']],
    [['restore', '--help']],
  ])('%j describes the options', async (args) => {
    const { code, out, err } = await run(args);
    expect(code).toBe(0);
    expect(out.join('\n')).toMatch(/^Usage: indexdesk/);
    expect(err).toEqual([]);
  });

  it('--version tells the version of the package, the commit of the checkout and the schema', async () => {
    const project = new URL('../../../', import.meta.url);
    const text = await readFile(new URL('package.json', project), 'utf8');
    const commit = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], {
      cwd: project,
      encoding: 'utf8',
    });
    // An archive of the sources has no commit.
    const expected = commit.status === 0 ? commit.stdout.trim() : 'unknown';
    expect(await run(['--version'])).toEqual({
      code: 0,
      out: [`${JSON.parse(text).version} (commit ${expected}, schema ${SCHEMA_VERSION})`],
      err: [],
    });
  });

  it.each([
    [[], 'The command is missing.'],
    [['start'], 'There is no command start.'],
    [['serve', '--prot', '1'], 'There is no option --prot.'],
    [['serve', '--port', 'x'], '--port (INDEXDESK_PORT) must be a whole number.'],
    [['serve', 'now'], 'The argument now is not expected.'],
    [['load'], 'FILE is missing.'],
    [['load', 'a', 'b'], 'The argument b is not expected.'],
    [['load', 'a', '--port', '1'], 'This command has no option --port.'],
    [['copy', '--from', 'x'], '--to is missing: a data directory, or postgres://…'],
    [['copy', '--from', 'x', '--to', './x'], '--from and --to are the same.'],
    [
      ['user', 'remove', 'x'],
      'user remove: it must be one of add, set, delete, password, reset-factors, disable, enable, list, token.',
    ],
    [['group'], '`group` needs one of add, set, delete, list.'],
    [['user', 'add', 'x', '--role', 'king'], '--role must be one of administrator, clerk, reader.'],
    [
      ['user', 'add', 'x', '--archive', 'A'],
      '--archive is “A”. It must be NAME=RIGHT, such as INVOICES=write; the rights are none, read, write, manage.',
    ],
  ])('%j is refused with one clear line and 2', async (args, message) => {
    const { code, out, err } = await run(args);
    expect({ code, out }).toEqual({ code: 2, out: [] });
    expect(err).toEqual([message, expect.stringMatching(/--help` describes the options\.$/)]);
  });

  it.each([
    [
      'a data directory that cannot be',
      ['load', 'some.json', '--data', '/dev/null/data'],
      'cannot be created',
    ],
    [
      'no server there',
      ['user', 'list', '--database-url', 'postgres://127.0.0.1:1/none'],
      'cannot be reached',
    ],
  ])('says %s, with 1', async (_, args, message) => {
    const folder = buildFolder();
    const { code, err } = await run(args, { INDEXDESK_DATA: folder });
    expect(code).toBe(1);
    expect(err).toHaveLength(1);
    expect(err[0]).toContain(message);
  });
});

const PASSWORD = { INDEXDESK_USER_PASSWORD: 'correct horse battery' };

/** Commands that use a database as it is. */
const WITHOUT_UPGRADE = [
  ['user', 'list'],
  ['user', 'add', 'joe'],
  ['user', 'password', 'joe'],
  ['user', 'disable', 'joe'],
  ['user', 'enable', 'joe'],
  ['verify'],
  ['verify', '--export'],
  ['migrate'],
  ['migrate', '--dry-run'],
];

/** Reads what a database says of itself, whatever its version is. */
async function readSettings(config: DatabaseConfig) {
  const database = await openDatabase(config, { access: 'read', anyVersion: true });
  try {
    return await database.read((db) => db.k.selectFrom('installation').selectAll().execute());
  } finally {
    await database.close();
  }
}

/** Makes a database of this version, or one that was given another version here, appear as of another one. */
async function setVersion(config: DatabaseConfig, version: number): Promise<void> {
  const statement = `update installation set value = '${version}' where key = 'schema_version'`;
  if (config.databaseUrl !== undefined) {
    await administer(config.databaseUrl, (client) => client.query(statement));
    return;
  }
  const database = new DatabaseSync(join(config.dataDir, SQLITE_FILE));
  database.exec(statement);
  database.close();
}

describeOnOneDatabase('commands', (_, { dialect, prepare }) => {
  let config: DatabaseConfig;
  let where: string[];
  beforeEach(async () => {
    config = await prepare();
    where = ['--data', config.dataDir];
    if (config.databaseUrl !== undefined) where.push('--database-url', config.databaseUrl);
  });
  const table = (datasets: readonly object[]) => ({
    tables: [
      {
        guid: 'cccccccc-0000-0000-0000-000000000001',
        name: 'FIRMS',
        columns: [{ name: 'no', type: 'integer', required: true }],
        datasets,
      },
    ],
  });
  const folder = buildFolder();
  const write = async (datasets: readonly object[]) => {
    const name = `${randomUUID()}.json`;
    await writeFiles(folder, { [name]: table(datasets) });
    return join(folder, name);
  };

  it('load a definition file, and say what came of it', async () => {
    const file = await write([{ no: 1 }, { no: 2 }]);
    expect(await run(['load', file, ...where])).toEqual({
      code: 0,
      out: ['Table FIRMS (new): 2 datasets new.'],
      err: [],
    });
    expect((await run(['load', file, ...where])).out).toEqual([
      'Table FIRMS: 0 datasets new, 2 exist unchanged.',
    ]);
  });

  it('load with the history sealed, so that no service that starts has it to do', async () => {
    await run(['load', await write([{ no: 1 }, { no: 2 }]), ...where]);
    const database = await openDatabase(config);
    try {
      expect(await database.read(readLag)).toEqual({ entries: 0, age: 0 });
      expect(await database.read(readLastPosition)).toBeGreaterThan(2);
    } finally {
      await database.close();
    }
  });

  it('fail where a row is bad, but for those that may be skipped', async () => {
    const file = await write([{ no: 1 }, { no: 'x' }]);
    const refused = await run(['load', file, ...where]);
    expect(refused).toMatchObject({ code: 1, out: [] });
    expect(refused.err[0]).toContain('entry 2: no: The value must be a number');

    const bad = join(folder, `${randomUUID()}.csv`);
    const skipped = await run(['load', file, '--skip-bad-rows', bad, ...where]);
    // Something of the file was not loaded.
    expect(skipped.code).toBe(1);
    expect(skipped.out[0]).toContain(`1 bad row skipped, see ${bad}.`);
    expect(await readFile(bad, 'utf8')).toMatch(/^entry,error,line\n"\{""no"":""x""\}",/);

    const again = { INDEXDESK_SKIP_BAD_ROWS: bad };
    expect((await run(['load', file, ...where], again)).code).toBe(1);
    const beside = { INDEXDESK_SKIP_BAD_ROWS: 'true' };
    const { out } = await run(['load', file, ...where], beside);
    expect(out[0]).toContain(`1 bad row skipped, see ${join(folder, 'FIRMS-bad-rows.csv')}.`);
  });

  it('fail where the definition file is not good', async () => {
    await writeFiles(folder, { 'broken.json': '{' });
    const { code, err } = await run(['load', join(folder, 'broken.json'), ...where]);
    expect(code).toBe(1);
    expect(err).toEqual([expect.stringContaining('is not JSON (line 1, column 2)')]);
  });

  it('load nothing into a SQLite directory that is in use', async () => {
    const file = await write([{ no: 1 }]);
    const lock = await lockDataDirectory(config.dataDir);
    try {
      const { code, err } = await run(['load', file, ...where]);
      expect(code).toBe(dialect === 'sqlite' ? 1 : 0);
      if (dialect === 'sqlite') {
        expect(err).toEqual([expect.stringContaining('Stop that process first')]);
      }
    } finally {
      lock.release();
    }
  });

  it.each(WITHOUT_UPGRADE.map((command) => ({ command })))(
    'make no database where there is none: $command',
    async ({ command }) => {
      const missing = join(folder, 'mistyped');
      expect(await run([...command, '--data', missing], PASSWORD)).toEqual({
        code: 1,
        out: [],
        err: [
          `There is no Indexdesk database in ${missing}. Name the data directory of an installation; ` +
            '`indexdesk serve` creates a new one.',
        ],
      });
      expect(existsSync(missing)).toBe(false);
    },
  );

  it('use, verify and back up nothing where the database is empty', async () => {
    const { databaseUrl, dataDir } = config;
    if (databaseUrl === undefined) await writeFile(join(dataDir, SQLITE_FILE), '');
    else {
      await administer(databaseUrl, (client) =>
        client.query('drop schema public cascade; create schema public'),
      );
    }
    const backup = join(folder, `${randomUUID()}.tar`);
    for (const command of [...WITHOUT_UPGRADE, ['backup', backup]]) {
      expect(await run([...command, ...where], PASSWORD)).toEqual({
        code: 1,
        out: [],
        err: [expect.stringMatching(/^There is no Indexdesk (?:database )?in /)],
      });
    }
    expect(existsSync(backup)).toBe(false);
  });

  it('refuse a database of another version and leave it as it is, until it is upgraded', async () => {
    await (await openDatabase(config)).close();
    const now = SCHEMA_VERSION;
    const backup = join(folder, `${randomUUID()}.tar`);
    const copy = ['copy', '--from', config.databaseUrl ?? config.dataDir, '--to', `${backup}-copy`];
    const commands = [
      ...WITHOUT_UPGRADE.filter(([name]) => name !== 'migrate').map((args) => [...args, ...where]),
      copy,
      // Of SQLite a backup is a copy of the file, whatever its version.
      ...(dialect === 'sqlite' ? [] : [['backup', backup, ...where]]),
    ];
    for (const [version, message] of [
      [
        now - 1,
        `The database has version ${now - 1}, but this Indexdesk needs version ${now}. Nothing was changed. Use the older ` +
          'Indexdesk that serves it, or stop the service and upgrade the database: `indexdesk migrate --dry-run` lists ' +
          'the changes, `indexdesk migrate` applies them.',
      ],
      [
        99,
        `The database has version 99, but this Indexdesk supports versions up to ${now}. Start the newer Indexdesk that ` +
          'last used it, or restore a backup made before.',
      ],
    ] as const) {
      await setVersion(config, version);
      for (const command of commands) {
        expect({ command, ...(await run(command, PASSWORD)) }).toEqual({
          command,
          code: 1,
          out: [],
          err: [message],
        });
      }
      expect(await readSettings(config)).toContainEqual({
        key: 'schema_version',
        value: String(version),
      });
    }
    expect(existsSync(`${backup}-copy`)).toBe(false);
    expect(await run(['migrate', ...where])).toMatchObject({ code: 1 });

    // Of the same version again, as a database of another one cannot be opened.
    await setVersion(config, now);
    await revertMigrations(config, VERSION_BEFORE);
    const planned = await run(['migrate', '--dry-run', ...where]);
    expect(planned).toEqual({
      code: 0,
      out: [
        `The database has version ${now - 1}. An upgrade to version ${now} would`,
        expect.stringMatching(new RegExp(`^  ${now}: \\w+ `)),
        'Nothing was changed.',
      ],
      err: [],
    });
    expect(await readSettings(config)).toContainEqual({
      key: 'schema_version',
      value: String(now - 1),
    });
    const lock = await lockDataDirectory(config.dataDir);
    if (dialect === 'sqlite') {
      expect((await run(['migrate', ...where])).err.join()).toContain('Stop that process first');
    }
    lock.release();
    expect(await run(['migrate', ...where])).toEqual({
      code: 0,
      out: [`The database was upgraded from version ${now - 1} to version ${now}:`, planned.out[1]],
      err: [],
    });
    expect((await run(['migrate', ...where])).out).toEqual([
      `The database already has version ${now}, which this Indexdesk needs. Nothing to do.`,
    ]);
    expect((await run(['user', 'list', ...where])).code).toBe(0);
  });

  it.runIf(dialect === 'sqlite')('list users without writing to a file', async () => {
    await run(['load', await write([]), ...where]);
    const before = await readdir(config.dataDir);
    const files = () => Promise.all(before.map((name) => stat(join(config.dataDir, name))));
    const changed = (await files()).map(({ mtimeMs }) => mtimeMs);
    expect((await run(['user', 'list', ...where])).code).toBe(0);
    expect((await files()).map(({ mtimeMs }) => mtimeMs)).toEqual(changed);
  });

  it('add users, set their passwords, disable, enable and list them', async () => {
    await run(['load', await write([]), ...where]);
    const added = await run(
      ['user', 'add', 'Joe', '--display-name', 'Joe D.', '--table', 'firms=write', ...where],
      { INDEXDESK_USER_PASSWORD: 'correct horse battery' },
    );
    expect(added).toEqual({ code: 0, out: ['The clerk Joe was added.'], err: [] });
    const boss = ['user', 'add', 'boss', '--role', 'administrator'];
    const made = await run([...boss, ...where]);
    const generated = /^The password of boss is: (\S{26})$/.exec(made.out[1] ?? '')?.[1] ?? '';
    expect((await run(['user', 'list', ...where])).out).toEqual([
      'boss  administrator',
      'Joe   clerk          Joe D.',
    ]);
    expect((await run(['user', 'disable', 'joe', ...where])).code).toBe(0);
    expect((await run(['user', 'list', ...where])).out[1]).toBe(
      'Joe   clerk          Joe D.  (disabled)',
    );
    expect((await run(['user', 'enable', 'joe', ...where])).code).toBe(0);
    expect((await run(['user', 'list', ...where])).out[1]).toBe('Joe   clerk          Joe D.');

    const changed = await run(['user', 'password', 'JOE', ...where], {
      INDEXDESK_USER_PASSWORD: 'another good password',
    });
    expect(changed.code).toBe(0);
    const database = await openDatabase(config);
    try {
      const valid = async (username: string, password: string) => {
        const user = await database.read((db) => findCredentials(db, username));
        return verifyPassword(password, user?.passwordHash);
      };
      expect(await valid('joe', 'another good password')).toBe(true);
      expect(await valid('joe', 'correct horse battery')).toBe(false);
      expect(await valid('boss', generated)).toBe(true);
      const rights = await database.read((db) =>
        db.k.selectFrom('user_rights').select(['kind', 'access']).execute(),
      );
      expect(rights).toEqual([{ kind: 'table', access: 'write' }]);
    } finally {
      await database.close();
    }
  });

  it('change and delete users, and keep groups', async () => {
    await run(['load', await write([]), ...where]);
    const done = async (args: string[]) => {
      const { code, out, err } = await run([...args, ...where], PASSWORD);
      expect([code, err]).toEqual([0, []]);
      return out;
    };
    await done(['user', 'add', 'joe']);
    const fields = JSON.stringify({
      tables: { firms: { right: 'write', fields: { no: 'read' } } },
    });
    expect(await done(['group', 'add', 'CLERKS', '--label', 'Clerks', '--rights', fields])).toEqual(
      ['The group CLERKS was added.'],
    );
    const set = ['user', 'set', 'joe', '--role', 'reader', '--email', 'joe@example.org'];
    await done([...set, '--group', 'clerks', '--table', 'firms=manage']);
    await done(['user', 'set', 'joe', '--table', 'firms=none', '--display-name', 'Joe D.']);
    expect(await done(['user', 'list'])).toEqual(['joe  reader         Joe D.']);
    expect(await done(['group', 'list'])).toEqual(['CLERKS  Clerks  joe']);
    await done(['group', 'set', 'clerks', '--table', 'firms=read']);
    expect(await done(['group', 'delete', 'CLERKS'])).toEqual(['The group CLERKS was deleted.']);
    expect(await done(['group', 'list'])).toEqual([]);
    await done(['user', 'delete', 'joe']);
    expect(await done(['user', 'list'])).toEqual([]);
    const again = await run(['user', 'add', 'joe', ...where], PASSWORD);
    expect([again.code, again.err.join()]).toEqual([1, expect.stringContaining('deleted user')]);
    const wrong = await run(['group', 'set', 'NONE', ...where]);
    expect(wrong.err).toEqual(['There is no group NONE.']);
    const misnamed = await run(['group', 'add', 'No spaces', ...where]);
    expect([misnamed.code, misnamed.err[0]]).toEqual([2, `NAME: ${nameInvalid}`]);
    const long = 'x'.repeat(201);
    expect((await run(['group', 'add', 'G', '--label', long, ...where])).code).toBe(2);
    const nameless = await run(['user', 'add', 'jim', '--display-name', '', ...where], PASSWORD);
    expect([nameless.code, nameless.err[0]]).toEqual([2, expect.stringMatching('--display-name')]);
    const unknown = await run(['table', 'purge', 'NONE', '--confirm', 'NONE', ...where]);
    expect(unknown.err).toEqual(['There is no table NONE.']);
    const unconfirmed = await run(['table', 'purge', 'FIRMS', '--confirm', 'other', ...where]);
    expect([unconfirmed.code, unconfirmed.err[0]]).toEqual([
      2,
      'To delete it permanently, confirm it by its name: --confirm FIRMS.',
    ]);
  });

  it.each([
    ['nothing', '', 'The value is not JSON.'],
    ['no JSON', '{archives}', 'The value is not JSON.'],
    ['a list', '[]', 'The value: It must be'],
    [
      'an archive beside the kinds',
      '{"INVOICES": "read"}',
      'The value: Unknown keys: “INVOICES”. The keys here are: archives, tables.',
    ],
    [
      'a right that is none',
      '{"archives": {"INVOICES": "wirte"}}',
      'archives, INVOICES: It must be one of: none, read, write, manage.',
    ],
    [
      'a right on a field that is none',
      '{"tables": {"firms": {"right": "read", "fields": {"no": "manage"}}}}',
      'tables, firms, fields, no: It must be one of: hidden, read, write.',
    ],
  ])('say what is wrong with rights that are %s', async (_, rights, problem) => {
    const { code, err } = await run(['group', 'add', 'CLERKS', '--rights', rights, ...where]);
    expect([code, err[0]]).toEqual([2, expect.stringContaining(`--rights: ${problem}`)]);
    expect(err[0]).toContain('A valid value is {"archives": {"INVOICES": "write"}}.');
  });

  it('refuse users that cannot be', async () => {
    await run(['load', await write([]), ...where]);
    const refused = async (args: string[], environment: Record<string, string> = PASSWORD) => {
      const { code, err } = await run(['user', ...args, ...where], environment);
      expect(code).toBe(1);
      return err.join();
    };
    await run(['user', 'add', 'joe', '--role', 'administrator', ...where], PASSWORD);
    expect(await refused(['add', 'JOE'])).toBe('There is already a user named joe.');
    expect(await refused(['add', ' x'])).toContain('A user name has');
    expect(await refused(['add', 'x'], { INDEXDESK_USER_PASSWORD: 'short' })).toContain(
      'at least 10 characters',
    );
    expect(await refused(['add', 'x', '--archive', 'NONE=read'])).toBe(
      'There is no archive NONE, so no right can be given on it.',
    );
    expect(await refused(['disable', 'nobody'])).toBe('There is no user nobody.');
    expect(await refused(['password', 'nobody'])).toBe('There is no user nobody.');
    expect(await refused(['disable', 'joe'])).toContain('the last active administrator');
    expect(await refused(['delete', 'joe'])).toContain('the last active administrator');
  });
});
