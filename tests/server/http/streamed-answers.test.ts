/** @module-tag slow */
import { beforeAll, describe, expect, it } from 'vitest';
import { wrapDatabase } from '#server/database/wrap-database.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { ArchiveAdministration } from '#tests/support/definitions-client.ts';
import { sampled } from '#tests/support/effort.ts';
import { formOf } from '#tests/support/forms.ts';

describeOnOneDatabase('an answer that is streamed', (open) => {
  let t: TestApp;
  let archive: Archive;
  let other: Archive;
  let admin: TestClient;
  /** What happens between the snapshot of the next request and its stream. */
  let meanwhile: (() => Promise<unknown>) | null = null;
  beforeAll(async () => {
    t = await openApp(async () => {
      const database = await open();
      return wrapDatabase(database, {
        async read(work, context) {
          const result = await database.read(work, context);
          // Not after a read in the background, such as one that counts findings.
          const change = context && !context.isBackground ? meanwhile : null;
          if (change) {
            meanwhile = null;
            await change();
          }
          return result;
        },
      });
    });
    archive = await buildArchive(t.database, [{ name: 'TITLE' }, { name: 'AMOUNT' }]);
    await buildRecords(t.database, archive, [['one', '1']]);
    other = await buildArchive(t.database, [{ name: 'TITLE' }]);
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    admin = await t.signedIn('root');
  });

  let people = 0;
  /** A new user with the right to write, signed in. */
  const person = async (role: 'clerk' | 'administrator' = 'clerk') => {
    const username = `user${people++}`;
    const rights = role === 'clerk' ? [rightOn(archive, 'write')] : [];
    await buildUser(t.database, { username, role, rights });
    return { username, client: await t.signedIn(username) };
  };
  type Person = Awaited<ReturnType<typeof person>>;

  const set = async ({ username }: Person, user: object) => {
    const { status } = await admin.patch(`configuration/users/${username}`, { user });
    expect(status).toBe(200);
  };
  const restrict = (who: Person, fields: object) =>
    set(who, { rights: { archives: { [archive.name]: { right: 'write', fields } }, tables: {} } });

  /** The status of an answer; `cut`: its connection was closed before its end. */
  const outcomeOf = async (client: TestClient, path: string, change: () => Promise<unknown>) => {
    meanwhile = change;
    const outcome = await client.get(path).then(
      ({ status }) => status,
      () => 'cut',
    );
    expect(meanwhile).toBeNull();
    return outcome;
  };

  const changes: readonly [string, (who: Person) => Promise<unknown>][] = [
    ['the user is disabled', (who) => set(who, { active: false })],
    ['the user signs out', ({ client }) => client.delete('application/sessions')],
    ['the right is taken away', (who) => set(who, { rights: { archives: {}, tables: {} } })],
    ['a field is hidden', (who) => restrict(who, { AMOUNT: 'hidden' })],
  ];

  describe('of a list', () => {
    const path = (query = '') => `${archivePath(archive)}/index/export?format=csv${query}`;

    it.each(changes)('ends without its end once %s', async (_what, change) => {
      const who = await person();
      expect(await outcomeOf(who.client, path(), () => change(who))).toBe('cut');
    });

    it('as XLSX too', async () => {
      const who = await person();
      const change = () => set(who, { active: false });
      const workbook = `${archivePath(archive)}/index/export`;
      expect(await outcomeOf(who.client, workbook, change)).not.toBe(200);
    });

    it('goes on where the person still sees all fields', async () => {
      const who = await person();
      const readOnly = () => restrict(who, { AMOUNT: 'read' });
      expect(await outcomeOf(who.client, path(), readOnly)).toBe(200);
      for (const { name } of [archive, other]) {
        const change = () => new ArchiveAdministration(admin, name).rename('TITLE', 'SUBJECT');
        expect(await outcomeOf(who.client, path(), change)).toBe(200);
      }
    });
  });

  describe('of a list whose definition changes', () => {
    const fields = [{ name: 'TITLE' }, { name: 'AMOUNT' }, { name: 'NOTE' }];
    const [title = {}, amount = {}, note = {}] = fields.map((field) => ({
      ...field,
      type: 'text',
    }));
    const exported = async (
      change: (of: ArchiveAdministration, who: string) => Promise<unknown>,
    ) => {
      const built = await buildArchive(t.database, fields, ['K']);
      await buildRecords(t.database, built, [['one', '1', 'none']]);
      const username = `reader${people++}`;
      await buildUser(t.database, { username, rights: [rightOn(built, 'read')] });
      const client = await t.signedIn(username);
      const of = new ArchiveAdministration(admin, built.name);
      const path = `${archivePath(built)}/index/export?format=csv`;
      return outcomeOf(client, path, () => change(of, username));
    };
    const convert = (of: ArchiveAdministration) =>
      of.put([title, { ...amount, type: 'integer' }, note]);

    it('goes on where fields are converted or retired', async () => {
      expect(await exported(convert)).toBe(200);
      expect(await exported((of) => of.put([title, note]))).toBe(200);
      expect(await exported((of) => of.put([title, amount, note], { keywordFields: [] }))).toBe(
        200,
      );
    });

    it('ends without its end once a field is converted and hidden', async () => {
      const hidden = exported(async (of, username) => {
        await convert(of);
        const rights = {
          archives: { [of.table]: { right: 'read', fields: { AMOUNT: 'hidden' } } },
        };
        const user = { rights: { ...rights, tables: {} } };
        expect((await admin.patch(`configuration/users/${username}`, { user })).status).toBe(200);
      });
      expect(await hidden).toBe('cut');
    });
  });

  it.each(sampled(1, changes))(
    'of refused rows ends without its end once %s',
    async (_what, change) => {
      const who = await person();
      const form = formOf([
        ['files[0]', { name: 'a.csv', bytes: 'Revision id,AMOUNT\r\n77,2\r\n' }],
      ]);
      const planned = await who.client.send('POST', `${archivePath(archive)}/imports`, form.body, {
        headers: form.headers,
      });
      const { bulkEditId } = Object(planned.body).bulkedits[0];
      const path = `${archivePath(archive)}/bulkedits/${bulkEditId}/refused`;
      expect((await who.client.get(path)).status).toBe(200);
      expect(await outcomeOf(who.client, path, () => change(who))).not.toBe(200);
    },
  );

  it.each(['csv', 'jsonl'])(
    'of the audit as %s ends for a former administrator',
    async (format) => {
      const who = await person('administrator');
      const path = `configuration/audit?format=${format}`;
      expect((await who.client.get(path)).status).toBe(200);
      expect(await outcomeOf(who.client, path, () => set(who, { role: 'clerk' }))).not.toBe(200);
    },
  );
});
