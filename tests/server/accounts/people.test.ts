import { beforeAll, expect, it } from 'vitest';
import { peopleAnswer } from '#shared/contract/answers.ts';
import { buildUser, openApp, type TestApp } from '#tests/support/app.ts';
import { buildArchive, buildTable, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

describeOnOneDatabase('the names of people', (open) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await openApp(open);
    const archive = await buildArchive(t.database, [{ name: 'A' }]);
    const table = await buildTable(t.database, [{ name: 'A' }]);
    const [inArchive, inTable] = [[rightOn(archive, 'read')], [rightOn(table, 'write')]];
    const users = [
      { username: 'anna', displayName: 'Anna Weiss', rights: inArchive },
      { username: 'ben', displayName: 'Ben Carter', rights: inArchive },
      { username: 'cleo', displayName: 'Cleo Marsh', rights: inTable },
      { username: 'dan', displayName: 'Dan Roe' },
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
      { username: 'root', displayName: 'Root' },
    ]);
    const usernames = async (username: string) =>
      (await namesFor(username)).map((person) => person.username);
    expect(await usernames('cleo')).toEqual(['cleo', 'root']);
    expect(await usernames('dan')).toEqual(['dan', 'root']);
    expect(await usernames('root')).toEqual(['anna', 'ben', 'cleo', 'dan', 'root']);
  });

  it('need a session and take no parameters', async () => {
    expect(await t.client().get('application/users')).toMatchObject({ status: 401 });
    const anna = await t.signedIn('anna');
    expect(await anna.get('application/users?q=a')).toMatchObject({ status: 400 });
  });
});
