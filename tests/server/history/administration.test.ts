import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { runCommandLine } from '#server/cli/cli.ts';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';
import { addDefinitionAndUserEvents } from '#server/database/migrations/definition-and-user-events.ts';
import { buildUser, openApp, PASSWORD, type TestApp } from '#tests/support/app.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

describeOnOneDatabase('the history of what is no record', (open, { prepare }) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await openApp(open);
  });
  const entries = async (database = t.database) => {
    const rows = await database.read((db) =>
      db.k
        .selectFrom('history')
        .selectAll()
        .where('scope', 'in', ['definition', 'user', 'session'])
        .orderBy('id')
        .execute(),
    );
    return rows.map((row) => ({ ...row, changes: Object(JSON.parse(row.changes)) }));
  };

  it('tells of sessions that begin and are ended, and nothing of failed attempts', async () => {
    const user = await buildUser(t.database);
    const client = t.client({ remoteAddress: '10.1.2.3' });
    expect((await client.signIn('clerk', 'wrong password')).status).toBe(401);
    expect((await client.signIn('nobody')).status).toBe(401);
    const before = await entries();
    expect((await client.signIn('CLERK')).status).toBe(201);
    const [session] = Object((await client.get('application/sessions')).body).sessions;
    expect((await client.delete('application/sessions')).status).toBe(204);
    const about = {
      user_id: user.id,
      username: 'clerk',
      address: '10.1.2.3',
      scope: 'session',
      thing_id: 0,
      row_id: user.id,
    };
    const { sessionId } = session;
    expect((await entries()).slice(before.length)).toMatchObject([
      {
        ...about,
        kind: 'create',
        call: 'POST application/sessions',
        changes: [{ name: 'sessionId', before: null, after: sessionId }],
      },
      {
        ...about,
        kind: 'delete',
        call: 'DELETE application/sessions',
        changes: [{ name: 'sessionId', before: sessionId, after: null }],
      },
    ]);
  });

  it('tells of a password that its user has changed, and not of the password', async () => {
    const { id } = await buildUser(t.database, { username: 'anna' });
    const client = await t.signedIn('anna');
    const before = await entries();
    const body = { current: PASSWORD, password: 'another good horse' };
    expect((await client.put('application/users/anna/password', body)).status).toBe(204);
    expect((await entries()).slice(before.length)).toMatchObject([
      {
        scope: 'user',
        kind: 'change',
        row_id: id,
        user_id: id,
        username: 'anna',
        call: 'PUT application/users/:username/password',
        changes: [
          {
            name: 'password',
            before: null,
            after: 'changed',
          },
        ],
      },
    ]);
  });

  const run = async (config: DatabaseConfig, args: readonly string[], environment = {}) => {
    const lines: string[] = [];
    const console = {
      out: (line: string) => lines.push(line),
      err: (line: string) => lines.push(line),
    };
    const where = {
      INDEXDESK_DATA: config.dataDir,
      ...(config.databaseUrl ? { INDEXDESK_DATABASE_URL: config.databaseUrl } : {}),
    };
    const code = await runCommandLine(args, { ...where, ...environment }, console);
    expect([code, ...lines]).toEqual([0, ...lines]);
  };
  const definition = (columns: readonly string[]) => ({
    tables: [
      {
        guid: '6d1c0d6e-7f51-4a55-8a7e-1f6f4c1b9a33',
        name: 'THINGS',
        columns: columns.map((name) => ({
          name,
          type: 'text',
        })),
        datasets: [],
      },
    ],
    users: [
      {
        username: 'loaded',
        role: 'clerk',
        password: 'some good horse',
        rights: { tables: { THINGS: 'manage' } },
      },
    ],
  });

  it('tells of definitions and users that are loaded or changed by commands', async () => {
    const config = await prepare();
    const file = join(config.dataDir, 'collections.json');
    await writeFile(file, JSON.stringify(definition(['a'])));
    await run(config, ['load', file]);
    await writeFile(file, JSON.stringify(definition(['a', 'b'])));
    await run(config, ['load', file]);
    const password = { INDEXDESK_USER_PASSWORD: 'the best of horses' };
    await run(config, ['user', 'add', 'rita', '--table', 'THINGS=read'], password);
    await run(config, ['user', 'password', 'rita'], password);
    await run(config, ['user', 'disable', 'rita']);
    await run(config, ['user', 'disable', 'rita']);
    await run(config, ['user', 'enable', 'rita']);

    const database = await openDatabase(config);
    const told = await entries(database);
    await database.close();
    const columns = (count: number) => ({
      definition: { columns: ['a', 'b'].slice(0, count).map((name) => ({ name })) },
      fieldNumbers: [1, 2].slice(0, count),
    });
    const byLoad = {
      username: 'load',
      user_id: null,
      address: null,
      call: 'load collections.json',
    };
    const byCommand = { username: expect.stringMatching(/. \(command line\)$/), user_id: null };
    const rita = { scope: 'user', row_id: 2 };
    const created = (values: Record<string, unknown>) =>
      Object.entries(values).map(([name, after]) => ({ name, before: null, after }));
    expect(told).toMatchObject([
      {
        ...byLoad,
        scope: 'definition',
        kind: 'create',
        thing_id: 2,
        row_id: 1,
        changes: created({
          definition: columns(1),
          position: 1,
        }),
      },
      {
        ...byLoad,
        scope: 'user',
        kind: 'create',
        row_id: 1,
        changes: created({
          username: 'loaded',
          displayName: 'loaded',
          role: 'clerk',
          disabled: false,
          'right.table.1': 'manage',
        }),
      },
      {
        ...byLoad,
        scope: 'definition',
        kind: 'change',
        thing_id: 2,
        row_id: 1,
        changes: [
          {
            name: 'definition',
            before: columns(1),
            after: columns(2),
          },
        ],
      },
      {
        ...byCommand,
        ...rita,
        kind: 'create',
        call: 'user add rita',
        changes: created({
          username: 'rita',
          displayName: 'rita',
          role: 'clerk',
          disabled: false,
          'right.table.1': 'read',
        }),
      },
      {
        ...byCommand,
        ...rita,
        kind: 'change',
        call: 'user password rita',
        changes: [
          {
            name: 'password',
            before: null,
            after: 'changed',
          },
        ],
      },
      {
        ...byCommand,
        ...rita,
        call: 'user disable rita',
        changes: [
          {
            name: 'disabled',
            before: false,
            after: true,
          },
        ],
      },
      {
        ...byCommand,
        ...rita,
        call: 'user enable rita',
        changes: [
          {
            name: 'disabled',
            before: true,
            after: false,
          },
        ],
      },
    ]);
    expect(JSON.stringify(told)).not.toMatch(/horse|argon2/);
  });

  it('begins with what was there before it told of that', async () => {
    const config = await prepare();
    const file = join(config.dataDir, 'collections.json');
    await writeFile(file, JSON.stringify(definition(['a'])));
    await run(config, ['load', file]);
    const database = await openDatabase(config);
    const before = await entries(database);
    await database.write(async (db) => {
      const { id: _, ...loaded } = await db.k
        .selectFrom('users')
        .selectAll()
        .executeTakeFirstOrThrow();
      const older = { ...loaded, username: 'older', username_key: 'older', disabled: 1 };
      await db.k.insertInto('users').values(older).execute();
      await addDefinitionAndUserEvents(db);
      await addDefinitionAndUserEvents(db);
    });
    const told = (await entries(database)).slice(before.length);
    await database.close();
    expect(told).toMatchObject([
      {
        scope: 'user',
        kind: 'create',
        row_id: 2,
        username: 'indexdesk',
        call: 'upgrade',
        changes: [
          {
            name: 'username',
            before: null,
            after: 'older',
          },
          {
            name: 'displayName',
            before: null,
            after: 'loaded',
          },
          {
            name: 'role',
            before: null,
            after: 'clerk',
          },
          {
            name: 'disabled',
            before: null,
            after: true,
          },
        ],
      },
    ]);
  });
});
