import { beforeAll, expect, it } from 'vitest';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { peopleAnswer } from '#shared/contract/answers.ts';
import { buildUser, openApp, type TestApp } from '#tests/support/app.ts';
import { buildArchive, buildTable, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

describeOnOneDatabase('the names of people', (open) => {
  let t: TestApp;
  let archive: Archive;
  let table: Table;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [{ name: 'A' }]);
    table = await buildTable(t.database, [{ name: 'A' }]);
    const [inArchive, inTable] = [[rightOn(archive, 'read')], [rightOn(table, 'write')]];
    const users = [
      { username: 'anna', displayName: 'Anna Weiss', rights: inArchive },
      { username: 'ben', displayName: 'Ben Carter', rights: inArchive },
      { username: 'cleo', displayName: 'Cleo Marsh', rights: inTable },
      { username: 'dan', displayName: 'Dan Roe' },
      { username: 'eve', displayName: 'Eve Park', rights: [...inArchive, ...inTable] },
      { username: 'root', displayName: 'Root', role: 'administrator' },
    ] as const;
    for (const user of users) await buildUser(t.database, user);
  });
  const namesFor = async (username: string) => {
    const { body } = await (await t.signedIn(username)).get('application/users');
    return peopleAnswer.parse(body).users;
  };

  it('are those of administrators and of people with rights on the same archives and tables', async () => {
    expect(await namesFor('anna')).toEqual([
      { username: 'anna', displayName: 'Anna Weiss' },
      { username: 'ben', displayName: 'Ben Carter' },
      { username: 'eve', displayName: 'Eve Park' },
      { username: 'root', displayName: 'Root' },
    ]);
    const usernames = async (username: string) =>
      (await namesFor(username)).map((person) => person.username);
    expect(await usernames('cleo')).toEqual(['cleo', 'eve', 'root']);
    expect(await usernames('dan')).toEqual(['dan', 'root']);
    expect(await usernames('root')).toEqual(['anna', 'ben', 'cleo', 'dan', 'eve', 'root']);
  });

  it('are no others for a token that is limited to archives or tables', async () => {
    const usernames = async (owner: string, only: object) => {
      const token = {
        name: 'sync',
        expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
        right: 'read',
        ...only,
      };
      const client = await t.signedIn(owner);
      const made = await client.post(`application/users/${owner}/tokens`, { token });
      const [{ token: secret }] = Object(made.body).tokens;
      const answer = await t
        .client({ headers: { authorization: `Bearer ${secret}` } })
        .get('application/users');
      return peopleAnswer.parse(answer.body).users.map((person) => person.username);
    };
    expect(await usernames('root', { archives: [archive.name] })).toEqual([
      'anna',
      'ben',
      'eve',
      'root',
    ]);
    expect(await usernames('root', {})).toEqual(['anna', 'ben', 'cleo', 'dan', 'eve', 'root']);
    expect(await usernames('eve', { tables: [table.guid] })).toEqual(['cleo', 'eve', 'root']);
    expect(await usernames('eve', {})).toEqual(['anna', 'ben', 'cleo', 'eve', 'root']);
  });

  it('need a session and take no parameters', async () => {
    expect(await t.client().get('application/users')).toMatchObject({ status: 401 });
    const anna = await t.signedIn('anna');
    expect(await anna.get('application/users?q=a')).toMatchObject({ status: 400 });
  });
});
