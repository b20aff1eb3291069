import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildRecords } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { ArchiveAdministration } from '#tests/support/definitions-client.ts';
import { loadFile, writeFiles } from '#tests/support/load.ts';

const NO = { name: 'NO', type: 'text' };
const IBAN = { name: 'IBAN', type: 'text' };

describeOnOneDatabase('rights on a field whose type was changed', (open) => {
  let t: TestApp;
  let root: TestClient;
  let clerk: TestClient;
  let built: Archive;
  let archive: ArchiveAdministration;
  beforeEach(async () => {
    t = await openApp(open);
    built = await buildArchive(t.database, [NO, IBAN]);
    await buildRecords(t.database, built, [['R-1', '77']]);
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    await buildUser(t.database, { username: 'clerk' });
    root = await t.signedIn('root');
    archive = new ArchiveAdministration(root, built.name);
  });
  const rightsWith = (fields: Record<string, string>) => ({
    archives: { [built.name]: { right: 'write', fields } },
  });
  const buildGroup = async (name: string) => {
    const rights = rightsWith({ IBAN: 'hidden' });
    const group = { name, rights, members: ['clerk'] };
    expect(await root.post('configuration/groups', { group })).toMatchObject({ status: 201 });
  };
  const change = async (name: string, fields: Record<string, string>) => {
    const path = `configuration/groups/${name}`;
    const group = { rights: rightsWith(fields) };
    expect(await root.patch(path, { group })).toMatchObject({ status: 200 });
  };
  const convert = async (onMisfit?: 'keep') => {
    const answer = await archive.put([NO, { ...IBAN, type: 'integer' }], { onMisfit });
    expect(answer).toMatchObject({ status: 200 });
  };
  const restoreKept = async () => {
    const kept = { ...IBAN, name: 'IBAN_before_1' };
    const answer = await archive.put([NO, { ...IBAN, type: 'integer' }, kept]);
    expect(answer).toMatchObject({ status: 200 });
  };
  const seenBy = async (client: TestClient) =>
    Object.keys(await new ArchiveAdministration(client, built.name).values(1));
  const accessTo = async (field: string) => {
    const { body } = await root.get('configuration/users/clerk/access');
    const { fields } = Object(body).access[0];
    return fields.find(({ name }: { name: string }) => name === field)?.access;
  };

  it('hide it where one of two groups was saved again since', async () => {
    await buildGroup('A');
    await buildGroup('B');
    clerk = await t.signedIn('clerk');
    await convert();
    await change('A', { IBAN: 'hidden' });
    expect(await seenBy(clerk)).toEqual(['NO']);
    const write = await clerk.patch(`${archive.records}/documents/1/indexdata`, {
      indexFields: [{ name: 'IBAN', value: 1 }],
    });
    expect(write).toMatchObject({ status: 422 });
    await change('B', {});
    expect(await seenBy(clerk)).toEqual(['NO', 'IBAN']);
  });

  it('are what the access of a user and the uses of the field say', async () => {
    await buildGroup('A');
    await convert();
    expect(await accessTo('IBAN')).toBe('hidden');
    expect((await root.get(`${archive.path}/fields/IBAN/uses`)).body).toEqual({
      uses: [{ kind: 'group', name: 'A', of: null }],
    });
  });

  it('are those of a definition file that names it, also if they were saved again', async () => {
    const grant = async () =>
      root.patch('configuration/users/clerk', { user: { rights: rightsWith({ IBAN: 'hidden' }) } });
    const load = async () => {
      const { dataDir } = t.config;
      const user = { username: 'clerk', password: 'nine otters under the bridge' };
      const users = [{ ...user, rights: rightsWith({ IBAN: 'hidden' }) }];
      await writeFiles(dataDir, { 'definition.json': { users } });
      return loadFile(t.database, dataDir, join(dataDir, 'definition.json'));
    };
    await grant();
    await convert();
    expect((await load()).warned).toEqual([]);
    await grant();
    expect((await load()).warned).toEqual([]);
  });

  it('stay with the values that were kept, also if they are saved again', async () => {
    await buildGroup('A');
    clerk = await t.signedIn('clerk');
    await convert('keep');
    await change('A', { IBAN: 'hidden' });
    await restoreKept();
    expect(await seenBy(clerk)).toEqual(['NO']);
  });

  it('open it without the values that were kept', async () => {
    await buildGroup('A');
    clerk = await t.signedIn('clerk');
    await convert('keep');
    await change('A', {});
    expect(await seenBy(clerk)).toEqual(['NO', 'IBAN']);
    await restoreKept();
    expect(await seenBy(clerk)).toEqual(['NO', 'IBAN']);
    await change('A', { IBAN_before_1: 'hidden' });
    expect(await seenBy(clerk)).toEqual(['NO', 'IBAN']);
    await change('A', {});
    expect(await seenBy(clerk)).toEqual(['NO', 'IBAN', 'IBAN_before_1']);
  });
});
