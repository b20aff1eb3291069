/** @module-tag slow */
import { beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import type { Archive, Table } from '#server/database/records/collection.ts';
import {
  buildUser,
  openApp,
  type TestAnswer,
  type TestApp,
  type TestClient,
} from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import { bulkEditOf, ended } from '#tests/support/bulk-edits.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { IS_LONG_RUN, sampled } from '#tests/support/effort.ts';
import { formOf } from '#tests/support/forms.ts';
import { ask, ROWS, type Row, type Sent, type Subjects } from './matrix-rows.ts';

/** Every name and value that is hidden has it. */
const HIDDEN = /hush/i;
/** What the paths of calls that read are about. */
const EVERY_SUBJECT =
  '{archive}/bulkedits {archive}/queues/ {archive}/views/ {guid}/bulkedits {guid}/views/';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});

interface Call {
  readonly method: (typeof METHODS)[number];
  /** with the names of its parameters in braces */
  readonly path: string;
  readonly name: string;
}

const FIELDS = [
  { name: 'NAME' },
  { name: 'HUSHED', label: 'Hush label', required: true, description: 'hush' },
  { name: 'FIXED', type: 'integer', required: true },
];

/** Every call × every role × fields that are visible, hidden and only to be read. */
describeOnOneDatabase('no call tells of a hidden field', (open, { dialect }) => {
  // The rules lie above the database, but each call has its own SQL: on PostgreSQL each is sent by one person.
  const isForAll = dialect === 'sqlite' || IS_LONG_RUN;
  let t: TestApp;
  let root: TestClient;
  let archive: Archive;
  let table: Table;
  let calls: readonly Call[];
  let people: Readonly<Record<'root' | 'whole' | 'anna' | 'rita' | 'stranger', TestClient>>;
  /** tokens of anna: with all her rights, to read, and for the table alone */
  let tokens: Readonly<Record<'full' | 'reading' | 'table', TestClient>>;
  /** of each person, for all calls that only read */
  const readSubjects = new Map<keyof typeof people, Promise<Subjects>>();
  /** what anna and rita have made before the fields were hidden from them */
  let kept: Readonly<Record<'anna' | 'rita', Partial<Subjects>>>;

  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, FIELDS, ['TAG', 'HUSHTAG']);
    const columns = FIELDS.map((field) =>
      field.name === 'FIXED' ? { ...field, default: 1 } : field,
    );
    table = await buildTable(t.database, columns);
    const both = [rightOn(archive, 'manage'), rightOn(table, 'manage')];
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    for (const username of ['whole', 'anna', 'rita']) {
      await buildUser(t.database, { username, rights: both });
    }
    await buildUser(t.database, { username: 'stranger' });
    root = await t.signedIn('root');
    const search =
      'columns=NAME,HUSHED&where[HUSHED][like]=hush&sort=-HUSHED,NAME&widths=HUSHED:90';
    const shared = { name: 'shared', shared: true, search };
    for (const place of [archivePath(archive), `application/dataapp/tables/${table.guid}`]) {
      await expectDone(root.post(`${place}/views`, shared));
    }
    kept = { anna: await prepare('anna', search), rita: await prepare('rita', search) };

    const fields = { HUSHED: 'hidden', FIXED: 'read' };
    const rights = {
      archives: {
        [archive.name]: { right: 'manage', fields: { ...fields, 'keyword.HUSHTAG': 'hidden' } },
      },
      tables: { [table.guid]: { right: 'manage', fields } },
    };
    await expectDone(root.patch('configuration/users/anna', { user: { rights } }));
    // The same by a group, and a role that caps it.
    const group = { name: 'READERS', rights, members: ['rita'] };
    await expectDone(root.post('configuration/groups', { group }));
    const reader = { role: 'reader', rights: {} };
    await expectDone(root.patch('configuration/users/rita', { user: reader }));
    people = {
      root,
      whole: await t.signedIn('whole'),
      anna: await t.signedIn('anna'),
      rita: await t.signedIn('rita'),
      stranger: await t.signedIn('stranger'),
    };
    const token = async (scope: object): Promise<TestClient> => {
      const asked = { name: 'T', expiresAt: '2100-01-01T00:00:00Z', ...scope };
      const { body } = await expectDone(
        people.anna.post('application/users/anna/tokens', { token: asked }),
      );
      return t.client({ headers: { authorization: `Bearer ${Object(body).tokens[0].token}` } });
    };
    tokens = {
      full: await token({ right: 'manage' }),
      reading: await token({ right: 'read' }),
      table: await token({ right: 'manage', tables: [table.guid] }),
    };
    const { paths } = documentSchema.parse((await root.get('openapi.json')).body);
    calls = Object.entries(paths).flatMap(([pattern, operations]) =>
      METHODS.filter((method) => method.toLowerCase() in operations).map((method) => {
        const path = pattern.slice(1);
        return { method, path, name: `${method} ${path}` };
      }),
    );
  });

  /** Everything that a person can make of hidden fields while they are not hidden yet. */
  async function prepare(username: string, search: string): Promise<Partial<Subjects>> {
    const client = await t.signedIn(username);
    const { revisionId } = await revision();
    const { jrid } = await dataset();
    const inArchive = archivePath(archive);
    const inTable = `application/dataapp/tables/${table.guid}`;
    const edits = [{ field: 'HUSHED', do: 'append', text: ' hush' }];
    const planned = await client.post(`${inArchive}/bulkedits`, {
      selection: { revisionIds: [revisionId] },
      edits,
    });
    const bulkEditId = bulkEditOf(planned).bulkEditId;
    const at = `${inArchive}/bulkedits/${bulkEditId}`;
    await expectDone(client.post(`${at}/apply`, { onChanged: 'refuse' }));
    await ended(client, at);
    const pasted = await client.post(`${inTable}/pastes`, {
      columns: [{ field: 'HUSHED' }],
      datasets: [{ jrid, cells: ['hush pasted'] }],
    });
    const tableBulkEditId = bulkEditOf(pasted).bulkEditId;
    const tableAt = `${inTable}/bulkedits/${tableBulkEditId}`;
    await expectDone(client.post(`${tableAt}/apply`, { onChanged: 'refuse' }));
    await ended(client, tableAt);
    await expectDone(client.put(`${inArchive}/lastview`, { search }));
    await expectDone(client.put(`${inTable}/lastview`, { search }));
    const queue = { filter: 'where[HUSHED][like]=hush' };
    const { queues } = Object((await client.post(`${inArchive}/queues`, queue)).body);
    const { queueId } = queues[0];
    const position = { position: 0, field: 'HUSHED' };
    await expectDone(client.patch(`${inArchive}/queues/${queueId}`, position));
    return { bulkEditId, tableBulkEditId, queueId };
  }

  async function expectDone(answer: Promise<TestAnswer>): Promise<TestAnswer> {
    const { status, text } = await answer;
    expect([status < 300, text]).toEqual([true, text]);
    return answer;
  }

  /** A revision with a value in each field, changed once in the hidden one. */
  async function revision() {
    const { body, headers } = formOf([
      ['indexFields[0][name]', 'NAME'],
      ['indexFields[0][value]', 'word'],
      ['indexFields[1][name]', 'HUSHED'],
      ['indexFields[1][value]', 'hush value'],
      ['indexFields[2][name]', 'FIXED'],
      ['indexFields[2][value]', '1'],
      ['keywordFields[0][name]', 'HUSHTAG'],
      ['keywordFields[0][value]', 'hush keyword'],
      ['files', { name: 'a.txt', bytes: 'text' }],
    ]);
    const path = `${archivePath(archive)}/documents`;
    const made = await expectDone(root.post(path, body, { headers }));
    const revisionId = String(Object(made.body).archivedocumentrevisions[0].revisionId);
    const changed = { indexFields: [{ name: 'HUSHED', value: 'hush changed' }] };
    await expectDone(root.patch(`${path}/${revisionId}/indexdata`, changed));
    const [found] = Object((await root.get(`${path}/${revisionId}`)).body).archivedocumentrevisions;
    return { revisionId, fileId: String(found.files[0].fileId) };
  }

  async function dataset() {
    const path = datasetsPath(table);
    const values = { NAME: 'word', HUSHED: 'hush value', FIXED: 1 };
    const made = await expectDone(root.post(path, { dataset: values }));
    const jrid = String(Object(made.body).datasets[0].jrid);
    await expectDone(root.put(`${path}/${jrid}`, { dataset: { HUSHED: 'hush changed' } }));
    return { jrid };
  }

  /** Records, plans and so on for one call of a person, as far as its path is about them. */
  async function subjectsFor(username: keyof typeof people, call: Call): Promise<Subjects> {
    // What is only read serves the next call as well; a stranger does nothing to it.
    if (call.method !== 'GET' && username !== 'stranger') return newSubjects(username, call.path);
    let known = readSubjects.get(username);
    if (!known) {
      known = newSubjects(username, EVERY_SUBJECT);
      readSubjects.set(username, known);
    }
    return known;
  }

  async function newSubjects(username: keyof typeof people, path: string): Promise<Subjects> {
    const client = people[username];
    const none = '999999';
    const isAbout = (...parts: string[]) => parts.every((part) => path.includes(part));
    const madeBy = async (list: string, key: string, at: string, body: object) => {
      const answer = await client.post(at, body);
      return answer.status < 300 ? String(Object(answer.body)[list][0][key]) : none;
    };
    const inArchive = archivePath(archive);
    const inTable = `application/dataapp/tables/${table.guid}`;
    const [{ revisionId, fileId }, { jrid }] = [
      isAbout('{archive}/') ? await revision() : { revisionId: none, fileId: none },
      isAbout('{guid}/') ? await dataset() : { jrid: none },
    ];
    const plan = {
      selection: { revisionIds: [revisionId] },
      edits: [{ field: 'NAME', do: 'append', text: '!' }],
    };
    const paste = { columns: [{ field: 'NAME' }], datasets: [{ jrid, cells: ['pasted'] }] };
    const view = { name: `view ${revisionId} ${jrid}`, shared: false, search: '' };
    const plans = ['bulkedits', 'bulkEditId'] as const;
    const plannedId = isAbout('{archive}/bulkedits')
      ? await madeBy(...plans, `${inArchive}/bulkedits`, plan)
      : none;
    const tablePlannedId = isAbout('{guid}/bulkedits')
      ? await madeBy(...plans, `${inTable}/pastes`, paste)
      : none;
    const own = username === 'anna' || username === 'rita' ? kept[username] : {};
    return {
      archive: archive.name,
      guid: table.guid,
      revisionId,
      fileId,
      jrid,
      historyId: isAbout('datasets/undo') ? await deletion(client) : none,
      bulkEditId: own.bulkEditId ?? plannedId,
      plannedId,
      tableBulkEditId: own.tableBulkEditId ?? tablePlannedId,
      tablePlannedId,
      queueId: isAbout('queues/')
        ? await madeBy('queues', 'queueId', `${inArchive}/queues`, { revisionIds: [revisionId] })
        : none,
      viewId: isAbout('{archive}/views/')
        ? await madeBy('views', 'viewId', `${inArchive}/views`, view)
        : none,
      tableViewId: isAbout('{guid}/views/')
        ? await madeBy('views', 'viewId', `${inTable}/views`, view)
        : none,
      username,
      factorId: none,
      check: '_rules',
    };
  }

  /** A deletion of the client's own. @returns its entry in the history */
  async function deletion(client: TestClient): Promise<string> {
    await client.delete(datasetsPath(table), { datasets: [await dataset()] });
    const { body, status } = await client.get(`${datasetsPath(table)}/deleted`);
    return status === 200 ? String(Object(body).deleted[0]?.historyId) : '999999';
  }

  const rowOf = ({ name }: Call): Row => {
    const row = ROWS[name];
    if (!row) throw new Error(`${name} has no row in matrix-rows.ts`);
    return row;
  };
  const isConfiguration = ({ path }: Call) => path.startsWith('configuration/');
  const asked = () =>
    calls.filter((call) => call.path.startsWith('application/') && !rowOf(call).notAsked);
  const sendAs = async (username: keyof typeof people, call: Call, sent?: Sent) => {
    const subjects = await subjectsFor(username, call);
    const given = sent ?? rowOf(call).send?.(subjects) ?? {};
    return ask(people[username], call.method, call.path, subjects, given);
  };
  const sendBy = (client: TestClient, call: Call, subjects: Subjects) =>
    ask(client, call.method, call.path, subjects, rowOf(call).send?.(subjects) ?? {});
  /** Names of views are unique. */
  const removeViews = async (client: TestClient, path: string, subjects: Subjects) => {
    const { body } = await ask(client, 'GET', path, subjects, {});
    for (const { viewId, shared } of Object(body).views) {
      if (!shared) await ask(client, 'DELETE', `${path}/${viewId}`, subjects, {});
    }
  };
  /** What is about sign-in, sessions and tokens, with its routes to come. */
  const isAboutAccount = ({ path }: Call) =>
    /^application\/(?:sessions|users\/\{username\}\/(?!archives))/.test(path);
  /** An answer without what differs each time, for comparisons. */
  const essence = ({ status, text }: TestAnswer, field: string) => ({
    status,
    text: text
      .replace(/"requestId":"[^"]*"/, '')
      .replaceAll(field, 'FIELD')
      .replaceAll(/[\d:.Z]+/g, 'N'),
  });

  it('has a row for each call, and no other', () => {
    const names = calls.filter(({ path }) => path.startsWith('application/'));
    expect(names.map(({ name }) => name).sort()).toEqual(Object.keys(ROWS).sort());
    expect(calls.filter(isConfiguration).length).toBeGreaterThan(10);
  });

  it.runIf(isForAll)('not even below configuration, which is for administrators', async () => {
    for (const call of calls.filter(isConfiguration)) {
      for (const username of ['whole', 'anna', 'rita', 'stranger'] as const) {
        const subjects = { ...kept.anna, username } as Partial<Subjects>;
        const path = call.path.replaceAll(/\{(\w+)\}/g, 'anna');
        const answer = await people[username].send(call.method, path);
        expect([call.name, subjects.username, answer.status]).toEqual([call.name, username, 403]);
      }
    }
  });

  it('to a person from whom it is hidden', async () => {
    for (const call of asked()) {
      const row = rowOf(call);
      const answer = await sendAs('anna', call);
      expect([call.name, answer.status, answer.text]).toEqual([call.name, row.status, answer.text]);
      expect([call.name, answer.text + JSON.stringify(answer.headers)]).toEqual([
        call.name,
        expect.not.stringMatching(HIDDEN),
      ]);
    }
  });

  it.runIf(isForAll)('to a reader who has the rights of a group', { tags: ['long'] }, async () => {
    for (const call of asked()) {
      const answer = await sendAs('rita', call);
      expect([call.name, answer.text]).toEqual([call.name, expect.not.stringMatching(HIDDEN)]);
      expect([call.name, answer.status < 500]).toEqual([call.name, true]);
      const isRead = call.method === 'GET' || rowOf(call).status === 404;
      if (isRead) expect([call.name, answer.status]).toEqual([call.name, rowOf(call).status]);
    }
  });

  it.runIf(isForAll)('to a stranger, for whom nothing of it exists', async () => {
    for (const call of asked()) {
      const answer = await sendAs('stranger', call);
      expect([call.name, answer.text]).toEqual([call.name, expect.not.stringMatching(HIDDEN)]);
      if (/\{(archive|guid)\}/.test(call.path)) {
        expect([call.name, answer.status]).toEqual([call.name, 404]);
      }
    }
  });

  it.runIf(isForAll)('while administrators and those without entries see it', async () => {
    for (const call of asked().filter((one) => rowOf(one).reveals)) {
      for (const username of sampled(1, ['whole', 'root'] as const)) {
        const answer = await sendAs(username, call);
        expect([call.name, username, answer.text]).toEqual([
          call.name,
          username,
          expect.stringMatching(HIDDEN),
        ]);
      }
    }
  });

  it.runIf(isForAll)(
    'and a token of that person opens what the person may, but for the account',
    async () => {
      // What tokens may is decided before a call is carried out: a third of the calls show it.
      const some = asked().filter(
        ({ path }, i) => IS_LONG_RUN || i % 3 === 0 || path.includes('views'),
      );
      expect(some.filter(isAboutAccount).length).toBeGreaterThan(3);
      for (const call of some) {
        const subjects = await subjectsFor('anna', call);
        if (/^POST .*views$/.test(call.name)) await removeViews(people.anna, call.path, subjects);
        const answer = await sendBy(tokens.full, call, subjects);
        const status = isAboutAccount(call) ? 403 : rowOf(call).status;
        expect([call.name, answer.status, answer.text]).toEqual([call.name, status, answer.text]);
        expect([call.name, answer.text + JSON.stringify(answer.headers)]).toEqual([
          call.name,
          expect.not.stringMatching(HIDDEN),
        ]);
        const other = await sendBy(tokens.table, call, subjects);
        if (call.path.includes('{archive}')) {
          expect([call.name, other.status]).toEqual([call.name, 404]);
        }
      }
    },
  );

  it.runIf(isForAll)(
    'and a token that may read changes no record',
    { tags: ['long'] },
    async () => {
      const changes = () =>
        t.database.read(
          async (db) =>
            (
              await db.k
                .selectFrom('history')
                .select('id')
                .where('scope', 'in', ['archive', 'table'])
                .execute()
            ).length,
        );
      for (const call of asked()) {
        const subjects = await subjectsFor('anna', call);
        const before = await changes();
        const answer = await sendBy(tokens.reading, call, subjects);
        expect([call.name, await changes()]).toEqual([call.name, before]);
        if (call.method === 'GET') {
          const status = isAboutAccount(call) ? 403 : rowOf(call).status;
          expect([call.name, answer.status]).toEqual([call.name, status]);
        }
      }
    },
  );

  it.runIf(isForAll)(
    'by another answer than that about a field that does not exist',
    { tags: ['long'] },
    async () => {
      for (const call of asked()) {
        for (const naming of rowOf(call).naming ?? []) {
          const subjects = await subjectsFor('anna', call);
          const send = (field: string) =>
            ask(people.anna, call.method, call.path, subjects, naming(field, subjects));
          const [hidden, unknown] = [await send('HUSHED'), await send('NOSUCH')];
          expect([call.name, essence(hidden, 'HUSHED')]).toEqual([
            call.name,
            essence(unknown, 'NOSUCH'),
          ]);
          const tag = await send('HUSHTAG');
          expect([call.name, essence(tag, 'HUSHTAG')]).toEqual([
            call.name,
            essence(unknown, 'NOSUCH'),
          ]);
        }
      }
    },
  );

  it.runIf(isForAll)('and each refuses to change one that can only be read', async () => {
    for (const call of asked()) {
      const { readOnly, refusedInPlan, status } = rowOf(call);
      if (!readOnly) continue;
      const subjects = await subjectsFor('anna', call);
      const send = (value: number) =>
        ask(people.anna, call.method, call.path, subjects, readOnly(value, subjects));
      const other = await send(2);
      expect([call.name, other.status, other.text]).toEqual([
        call.name,
        refusedInPlan ? 201 : 403,
        expect.stringMatching(refusedInPlan ? /"invalid":1/ : /FIXED/),
      ]);
      const same = await send(1);
      expect([call.name, same.status, same.text]).toEqual([call.name, status, same.text]);
      expect([call.name, same.text]).toEqual([call.name, expect.not.stringMatching(/"invalid":1/)]);
    }
  });
});
