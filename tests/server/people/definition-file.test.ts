import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openApp } from '#tests/support/app.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { buildFolder, loadFile } from '#tests/support/load.ts';
import { PASSWORD } from '#tests/support/password.ts';

const GUID = 'aaaaaaaa-0000-0000-0000-0000000000aa';
const OTHER = '5f0d1c6a-52b7-4c1e-9a53-0f3e8c7d2a42';

describeOnOneDatabase('definition files', (open) => {
  const folder = buildFolder();
  const load = async (t: Awaited<ReturnType<typeof openApp>>, file: object) => {
    const path = join(folder, 'people.json');
    await writeFile(path, JSON.stringify(file));
    return loadFile(t.database, folder, path);
  };

  it('hold groups and rights by field, and change none that exist', async () => {
    const t = await openApp(open);
    const file = {
      archives: [
        {
          guid: GUID,
          table: 'CONTRACTS',
          name: 'Contracts',
          indexFields: [
            { name: 'NO', type: 'text' },
            { name: 'IBAN', type: 'text' },
          ],
          keywordFields: [{ name: 'TAG' }],
        },
      ],
      groups: [
        {
          name: 'CLERKS',
          label: 'Clerks',
          rights: { archives: { [GUID]: { right: 'write', fields: { IBAN: 'hidden' } } } },
        },
      ],
      users: [
        { username: 'root', role: 'administrator', password: PASSWORD },
        {
          username: 'anna',
          role: 'clerk',
          email: 'anna@example.org',
          password: PASSWORD,
          groups: ['clerks'],
          rights: {
            archives: { contracts: { right: 'read', fields: { 'keyword.TAG': 'hidden' } } },
          },
        },
      ],
    };
    const first = await load(t, file);
    expect([first.failed, first.result?.complete]).toEqual([[], true]);
    const root = await t.signedIn('root');
    expect((await root.get('configuration/groups')).body).toEqual({
      groups: [
        {
          name: 'CLERKS',
          label: 'Clerks',
          rights: {
            archives: { CONTRACTS: { right: 'write', fields: { IBAN: 'hidden' } } },
            tables: {},
          },
          members: ['anna'],
        },
      ],
    });
    expect((await root.get('configuration/users/anna/access')).body).toMatchObject({
      access: [
        {
          archive: 'CONTRACTS',
          right: 'write',
          fields: [
            { name: 'NO', access: 'write' },
            { name: 'IBAN', access: 'read' },
            { name: 'keyword.TAG', access: 'write' },
          ],
          because: ['group CLERKS', 'own right'],
        },
      ],
    });
    // A password of a definition file need not be changed.
    expect((await t.client().signIn('anna')).text).not.toContain('passwordChangeRequired');
    await root.patch('configuration/groups/CLERKS', { group: { label: 'Others' } });
    const second = await load(t, file);
    expect([second.failed, second.warned]).toEqual([[], []]);
    expect((await root.get('configuration/groups')).text).toContain('Others');
    // Of an existing group only the right on the new archive is added.
    const other = {
      archives: [
        {
          guid: OTHER,
          table: 'LETTERS',
          name: 'Letters',
          indexFields: [{ name: 'NO', type: 'text' }],
        },
      ],
      groups: [{ name: 'CLERKS', rights: { archives: { LETTERS: 'read', CONTRACTS: 'manage' } } }],
    };
    expect((await load(t, other)).said.at(-1)).toBe('Groups: 1 with rights on what is new.');
    expect((await root.get('configuration/groups')).body).toMatchObject({
      groups: [
        {
          rights: {
            archives: {
              CONTRACTS: { right: 'write', fields: { IBAN: 'hidden' } },
              LETTERS: 'read',
            },
          },
          members: ['anna'],
        },
      ],
    });
    const unknown = { groups: [{ name: 'NEW', rights: { archives: { NONE: 'read' } } }] };
    const refused = await load(t, unknown);
    expect(refused.failed).toEqual([
      'Group NEW: There is no archive NONE, so no right can be given on it.',
    ]);
    expect(refused.said).toEqual([]);
  });
});
