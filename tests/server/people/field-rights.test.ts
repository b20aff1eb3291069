import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { bulkEditOf, revisionsOf } from '#tests/support/bulk-edits.ts';
import { ArchiveAdministration } from '#tests/support/definitions-client.ts';
import { formOf } from '#tests/support/forms.ts';

const FIELDS = [
  { name: 'NO', required: true },
  { name: 'IBAN', required: true },
  { name: 'TOTAL', type: 'decimal' },
  { name: 'NOTE', maxLength: 20 },
  { name: 'CODE', required: true },
];

const READ_ONLY = 'You can read this field, but not change it.';

describeOnOneDatabase('rights by field', (open) => {
  let t: TestApp;
  let root: TestClient;
  let anna: TestClient;
  let archive: Archive;
  let table: Table;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, FIELDS, ['TAG', 'SECRET', 'FIXED']);
    table = await buildTable(t.database, [
      { name: 'name' },
      { name: 'iban', default: 'none yet', required: true },
      { name: 'credit', type: 'integer', default: 5 },
      { name: 'secret', required: true },
      { name: 'code', unique: true },
    ]);
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    root = await t.signedIn('root');
    await buildUser(t.database, {
      username: 'anna',
      rights: [rightOn(archive, 'manage'), rightOn(table, 'manage')],
    });
    const rights = {
      archives: {
        [archive.name]: {
          right: 'manage',
          fields: {
            IBAN: 'hidden',
            TOTAL: 'read',
            CODE: 'hidden',
            'keyword.SECRET': 'hidden',
            'keyword.FIXED': 'read',
          },
        },
      },
      tables: {
        [table.guid]: {
          right: 'manage',
          fields: { iban: 'hidden', credit: 'read', secret: 'hidden', code: 'hidden' },
        },
      },
    };
    await root.patch('configuration/users/anna', { user: { rights } });
    anna = await t.signedIn('anna');
  });

  const documents = () => `${archivePath(archive)}/documents`;
  /** A revision with all fields. @returns its id */
  const revision = async (values: Record<string, string> = {}, client = root) => {
    const all = {
      NO: 'R-1',
      IBAN: 'DE77 hush',
      TOTAL: '12.5',
      NOTE: 'a note',
      CODE: 'c',
      ...values,
    };
    const parts = Object.entries(all).flatMap(([name, value], i): [string, string][] => [
      [`indexFields[${i}][name]`, name],
      [`indexFields[${i}][value]`, value],
    ]);
    const keywords = ['TAG', 'SECRET', 'FIXED'].flatMap((name, i): [string, string][] => [
      [`keywordFields[${i}][name]`, name],
      [`keywordFields[${i}][value]`, `${name.toLowerCase()} word`],
    ]);
    const { body, headers } = formOf([...parts, ...keywords]);
    const answer = await client.post(documents(), body, { headers });
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return String(Object(answer.body).archivedocumentrevisions[0].revisionId);
  };
  const valuesOf = async (id: string, client = root) => {
    const { body } = await client.get(`${documents()}/${id}`);
    const [found] = Object(body).archivedocumentrevisions;
    return {
      ...Object.fromEntries(
        found.indexFields.map(({ name, value }: { name: string; value: unknown }) => [name, value]),
      ),
      keywords: found.keywordFields.map(({ value }: { value: string }) => value),
    };
  };
  const field = (name: string, value: unknown) => ({ indexFields: [{ name, value }] });

  it('leave a hidden field out of definitions, and mark one that can only be read', async () => {
    const detail = await anna.get(`application/users/anna/archives/${archive.name}`);
    const { archives } = Object(detail.body).users;
    const fields = archives[0].indexFieldDefinitions;
    expect(fields.map(({ name }: { name: string }) => name)).toEqual(['NO', 'TOTAL', 'NOTE']);
    expect(fields[1]).toMatchObject({ name: 'TOTAL', readOnly: true });
    expect(fields[0]).not.toHaveProperty('readOnly');
    expect(archives[0].keywordFieldDefinitions).toEqual([
      { name: 'TAG', label: 'TAG' },
      { name: 'FIXED', label: 'FIXED', readOnly: true },
    ]);
    const columns = await anna.get(`application/dataapp/tables/${table.guid}`);
    expect(Object(columns.body).tables[0].columns).toMatchObject([
      { name: 'name' },
      { name: 'credit', readOnly: true },
    ]);
  });

  it('leave it out of what is read and written, and keep its value', async () => {
    const id = await revision();
    const seen = { NO: 'R-1', TOTAL: 12.5, NOTE: 'a note' };
    expect(await valuesOf(id, anna)).toEqual({ ...seen, keywords: ['tag word', 'fixed word'] });
    // A PUT names the visible fields; those that can only be read with the value that they have.
    const full = ['NO', 'TOTAL', 'NOTE'].map((name) => ({
      name,
      value: name === 'NOTE' ? 'new' : seen[name === 'NO' ? 'NO' : 'TOTAL'],
    }));
    const path = `${documents()}/${id}/indexdata`;
    const put = await anna.put(path, {
      indexFields: full,
      keywordFields: [{ name: 'TAG', value: 'other' }],
    });
    expect([put.status, put.text]).toEqual([200, expect.not.stringMatching(/hush|secret|CODE/i)]);
    expect(await valuesOf(id)).toEqual({
      NO: 'R-1',
      IBAN: 'DE77 hush',
      TOTAL: 12.5,
      NOTE: 'new',
      CODE: 'c',
      keywords: ['other', 'secret word', 'fixed word'],
    });
    const missing = await anna.put(path, { indexFields: full.slice(1) });
    expect(Object.keys(Object(missing.body).errors)).toEqual(['indexFields.NO']);
    const unknown = await anna.patch(path, field('IBAN', 'x'));
    const none = await anna.patch(path, field('NONE', 'x'));
    expect(unknown.status).toBe(422);
    expect(unknown.text.replaceAll('IBAN', 'NONE').replace(/"requestId".*/, '')).toBe(
      none.text.replace(/"requestId".*/, ''),
    );
  });

  it('refuse another value of a field that can only be read, and take the same for nothing', async () => {
    const id = await revision();
    const path = `${documents()}/${id}/indexdata`;
    expect(await anna.patch(path, field('TOTAL', 13))).toMatchObject({
      status: 403,
      body: { code: 'forbidden', errors: { 'indexFields.TOTAL': [expect.any(String)] } },
    });
    expect((await anna.patch(path, field('total', '12.50'))).status).toBe(200);
    const keywords = (value: string) => ({ keywordFields: [{ name: 'FIXED', value }] });
    expect((await anna.patch(path, keywords('fixed word'))).status).toBe(200);
    expect(await anna.patch(path, keywords('other'))).toMatchObject({
      status: 403,
      body: { errors: { 'keywordFields.FIXED': [expect.any(String)] } },
    });
    const history = await anna.get(`${documents()}/${id}/history`);
    expect(Object(history.body).history).toHaveLength(1);
    // 404 before 403 before 422, all of them named.
    const batch = await anna.patch(`${archivePath(archive)}/indexdata`, {
      revisions: [
        { revisionId: id, ...field('TOTAL', 1) },
        { revisionId: id, ...field('NOTE', 'x'.repeat(30)) },
      ],
    });
    expect(batch).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(batch.text).toContain(`revisions.${id}.indexFields.NOTE`);
  });

  /** Stores a note that breaks the rule, as after a change of the definition. */
  const breakNote = (id: string) => {
    const [stored, note] = [sql.table(`archive_${archive.id}`), archive.fields[3]?.number];
    return t.database.write((db) =>
      sql`update ${stored} set ${sql.ref(`f${note}`)} = ${'x'.repeat(40)} where _id = ${Number(id)}`.execute(
        db.k,
      ),
    );
  };

  it('check only what is changed in a full set', async () => {
    const id = await revision();
    await breakNote(id);
    const full = (note: string) => ({
      indexFields: [
        { name: 'NO', value: 'R-2' },
        { name: 'TOTAL', value: 12.5 },
        { name: 'NOTE', value: note },
      ],
    });
    const path = `${documents()}/${id}/indexdata`;
    expect((await anna.put(path, full('x'.repeat(40)))).status).toBe(200);
    expect((await anna.put(path, full('x'.repeat(41)))).status).toBe(422);
    const whole = [...full('x'.repeat(40)).indexFields, { name: 'IBAN', value: 'a' }];
    const all = { indexFields: [...whole, { name: 'CODE', value: 'b' }] };
    expect((await root.put(path, all)).status).toBe(422);
  });

  it('take a decimal as unchanged that has more places than its field allows today', async () => {
    const total = { name: 'TOTAL', type: 'decimal', scale: 2 };
    const narrowed = await buildArchive(t.database, [{ name: 'NO' }, total, { name: 'IBAN' }]);
    await buildRecords(t.database, narrowed, [['R-1', 1.25, 'DE77']]);
    const administration = new ArchiveAdministration(root, narrowed.name);
    const fields = (await administration.get()).indexFields.map((one) =>
      one.name === 'TOTAL' ? { ...one, scale: 1 } : one,
    );
    expect((await administration.put(fields, { onMisfit: 'keep' })).status).toBe(200);
    await buildUser(t.database, { username: 'zoe' });
    for (const entries of [{ TOTAL: 'read' }, { IBAN: 'hidden' }]) {
      const rights = { archives: { [narrowed.name]: { right: 'write', fields: entries } } };
      await root.patch('configuration/users/zoe', { user: { rights } });
      const zoe = await t.signedIn('zoe');
      const path = `${archivePath(narrowed)}/documents/1`;
      const [seen] = Object((await zoe.get(path)).body).archivedocumentrevisions;
      const put = await zoe.put(`${path}/indexdata`, { indexFields: seen.indexFields });
      expect([put.status, put.text]).toEqual([200, expect.stringContaining('1.25')]);
    }
  });

  it('take the full sets of several revisions as they were read', async () => {
    await buildUser(t.database, { username: 'eva' });
    const fields = { IBAN: 'hidden', CODE: 'hidden', TOTAL: 'read', NOTE: 'read' };
    const rights = { archives: { [archive.name]: { right: 'write', fields } } };
    await root.patch('configuration/users/eva', { user: { rights } });
    const eva = await t.signedIn('eva');
    const ids = [await revision(), await revision({ TOTAL: '' })];
    await breakNote(ids[1] ?? '');
    const path = `${archivePath(archive)}/indexdata`;
    /** Changes one field of each set. */
    const put = async (name: string, value: unknown) => {
      const revisions: { revisionId: string; indexFields: { name: string; value: unknown }[] }[] =
        [];
      for (const revisionId of ids) {
        const { body } = await eva.get(`${documents()}/${revisionId}`);
        const { indexFields } = Object(body).archivedocumentrevisions[0];
        const changed = { name, value };
        revisions.push({
          revisionId,
          indexFields: indexFields.map((one: typeof changed) =>
            one.name === name ? changed : one,
          ),
        });
      }
      return eva.put(`${path}?receipt=true`, { revisions });
    };
    const saved = await put('NO', 'R-7');
    expect(saved.status).toBe(200);
    expect(await valuesOf(ids[0] ?? '')).toMatchObject({
      NO: 'R-7',
      IBAN: 'DE77 hush',
      TOTAL: 12.5,
    });
    expect(await valuesOf(ids[1] ?? '')).toMatchObject({ NO: 'R-7', CODE: 'c', TOTAL: null });
    const { bulkEditId } = Object(saved.body).meta;
    const rows = await revisionsOf(eva, `${archivePath(archive)}/bulkedits/${bulkEditId}`);
    expect(rows.map(({ changes }) => changes)).toEqual(
      ids.map(() => [{ name: 'NO', before: 'R-1', after: 'R-7' }]),
    );
    expect(await put('TOTAL', 1)).toMatchObject({
      status: 403,
      body: {
        errors: Object.fromEntries(
          ids.map((id) => [`revisions.${id}.indexFields.TOTAL`, [expect.any(String)]]),
        ),
      },
    });
  });

  it('ask nobody for a required field that is hidden', async () => {
    const { body, headers } = formOf([
      ['indexFields[0][name]', 'NO'],
      ['indexFields[0][value]', 'R-9'],
    ]);
    const created = await anna.post(documents(), body, { headers });
    expect(created.status).toBe(201);
    const id = String(Object(created.body).archivedocumentrevisions[0].revisionId);
    expect(await valuesOf(id)).toMatchObject({ NO: 'R-9', IBAN: null, CODE: null });
    const again = formOf([
      ['indexFields[0][name]', 'NOTE'],
      ['indexFields[0][value]', 'again'],
    ]);
    const source = await revision();
    const next = await anna.post(`${documents()}/${source}`, again.body, {
      headers: again.headers,
    });
    expect(next.status).toBe(201);
    expect(next.text).not.toMatch(/hush/);
    const nextId = String(Object(next.body).archivedocumentrevisions[0].revisionId);
    expect(await valuesOf(nextId)).toMatchObject({
      NOTE: 'again',
      IBAN: 'DE77 hush',
      keywords: ['tag word', 'secret word', 'fixed word'],
    });

    const dataset = await anna.post(datasetsPath(table), { dataset: { name: 'A' } });
    expect(dataset.body).toEqual({
      datasets: [{ jrid: expect.any(String), name: 'A', credit: 5 }],
      meta: { findings: [] },
    });
    const { jrid } = Object(dataset.body).datasets[0];
    expect((await root.get(`${datasetsPath(table)}/${jrid}`)).body).toMatchObject({
      datasets: [{ iban: 'none yet', credit: 5, secret: null }],
    });
    const credit = (value: number) =>
      anna.post(datasetsPath(table), { dataset: { credit: value } });
    expect((await credit(5)).status).toBe(200);
    expect(await credit(6)).toMatchObject({
      status: 403,
      body: { errors: { 'dataset.credit': [expect.any(String)] } },
    });
  });

  it('find nothing by a hidden field', async () => {
    await revision({ NO: 'findme', IBAN: 'wombat-Q7', NOTE: 'platypus Z9' });
    const count = async (client: TestClient, query: string) => {
      const { status, body } = await client.get(`${archivePath(archive)}/index/count?${query}`);
      return status === 200 ? Object(body).count : status;
    };
    for (const q of ['wombat', 'q7', 'ombat-q']) {
      expect([q, await count(root, `q=${q}`)]).toEqual([q, 1]);
      expect([q, await count(anna, `q=${q}`)]).toEqual([q, 0]);
    }
    for (const q of ['platypus', 'z9', 'typus%20findme', 'pl', 'tag%20findme']) {
      expect([q, await count(anna, `q=${q}`)]).toEqual([q, 1]);
    }
    expect(await count(anna, 'q=at')).toBe(0);
    for (const q of ['secret', 'se']) {
      expect([q, (await count(root, `q=${q}`)) > 0]).toEqual([q, true]);
      expect([q, await count(anna, `q=${q}`)]).toEqual([q, 0]);
    }
    expect(await count(anna, 'q=latypus&where[NO][eq]=findme')).toBe(1);
    const page = await anna.get(`${archivePath(archive)}/index?q=platypus&sort=-TOTAL`);
    expect(page.body).toMatchObject({ archivedocuments: [{}] });
    for (const query of ['where[IBAN][like]=x', 'where[keyword.SECRET][null]=true', 'sort=IBAN']) {
      expect([query, (await anna.get(`${archivePath(archive)}/index?${query}`)).status]).toEqual([
        query,
        400,
      ]);
    }
    const options = await anna.get(`${archivePath(archive)}/indices/IBAN/listoptions`);
    expect(options.status).toBe(404);
  });

  it('leave hidden fields out of the history, and entries about nothing else', async () => {
    const id = await revision();
    const path = `${documents()}/${id}/indexdata`;
    await root.patch(path, field('IBAN', 'hush again'));
    await root.patch(path, {
      indexFields: [
        { name: 'IBAN', value: 'hush 3' },
        { name: 'NOTE', value: 'n' },
      ],
    });
    const { text, body } = await anna.get(`${documents()}/${id}/history`);
    expect(text).not.toMatch(/hush|secret|IBAN|CODE/i);
    expect(Object(body).history).toHaveLength(2);
    const late = await anna.patch(path, field('NOTE', 'x'), { headers: { 'if-match': '"1"' } });
    expect(late.status).toBe(412);
    expect(late.text).not.toMatch(/hush|IBAN/i);
  });

  it('change no hidden value when records are deleted and restored', async () => {
    const made = await root.post(datasetsPath(table), {
      dataset: { name: 'B', iban: 'hush', secret: 's', code: 'K1', credit: 9 },
    });
    const { jrid } = Object(made.body).datasets[0];
    const one = `${datasetsPath(table)}/${jrid}`;
    expect((await anna.put(one, { dataset: { name: 'C', credit: 9 } })).status).toBe(200);
    expect((await anna.delete(datasetsPath(table), { datasets: [{ jrid }] })).status).toBe(204);
    const deleted = await anna.get(`${datasetsPath(table)}/deleted`);
    expect(deleted.text).not.toMatch(/hush/);
    const { historyId } = Object(deleted.body).deleted[0];
    const undone = await anna.post(`${datasetsPath(table)}/undo`, { historyIds: [historyId] });
    expect(undone.body).toMatchObject({ datasets: [{ jrid, name: 'C', credit: 9 }] });
    expect(undone.text).not.toMatch(/hush/);
    expect((await root.get(one)).body).toMatchObject({
      datasets: [{ name: 'C', iban: 'hush', secret: 's', code: 'K1' }],
    });
    const taken = await anna.post(datasetsPath(table), { dataset: { name: 'D' } });
    expect(taken.status).toBe(200);
  });

  it('name no hidden unique column where a restored record conflicts', async () => {
    const made = await root.post(datasetsPath(table), {
      dataset: { name: 'E', secret: 's', code: 'K2' },
    });
    const { jrid } = Object(made.body).datasets[0];
    await anna.delete(datasetsPath(table), { datasets: [{ jrid }] });
    await root.post(datasetsPath(table), { dataset: { name: 'F', secret: 's', code: 'K2' } });
    const { body } = await anna.get(`${datasetsPath(table)}/deleted`);
    const { historyId } = Object(body).deleted[0];
    const undone = await anna.post(`${datasetsPath(table)}/undo`, { historyIds: [historyId] });
    expect([undone.status, Object.keys(Object(undone.body).errors)]).toEqual([409, ['datasets.0']]);
    expect(undone.text).not.toContain('K2');
  });

  it('answer a repeated request with what may be seen today', async () => {
    // A column may be named like a property that holds the query of a list.
    const searches = await buildTable(t.database, [{ name: 'search' }, { name: 'iban' }]);
    await buildUser(t.database, {
      username: 'ben',
      rights: [rightOn(table, 'write'), rightOn(searches, 'write')],
    });
    const ben = await t.signedIn('ben');
    const sendSearch = () =>
      ben.post(
        datasetsPath(searches),
        { dataset: { search: 'a=1,iban', iban: 'hush' } },
        { headers: { 'idempotency-key': 'search' } },
      );
    await sendSearch();
    const send = () =>
      ben.post(
        datasetsPath(table),
        { dataset: { name: 'x'.repeat(2000), iban: `hush ${'y'.repeat(3000)}`, secret: 's' } },
        { headers: { 'idempotency-key': 'today' } },
      );
    const view = () =>
      ben.post(
        `application/dataapp/tables/${table.guid}/views`,
        {
          name: 'V',
          shared: false,
          search: 'where[iban][eq]=hush&sort=name&groupby=iban&my[iban]=1&q=iban',
        },
        { headers: { 'idempotency-key': 'view' } },
      );
    const first = await send();
    expect([first.text, (await view()).text].every((text) => text.includes('hush'))).toBe(true);
    const fields = { iban: 'hidden', secret: 'hidden' };
    const rights = {
      tables: {
        [table.guid]: { right: 'write', fields },
        [searches.guid]: { right: 'write', fields: { iban: 'hidden' } },
      },
    };
    await root.patch('configuration/users/ben', { user: { rights } });
    const second = await send();
    expect(second.status).toBe(200);
    const { iban: _iban, secret: _secret, ...left } = Object(first.body).datasets[0];
    expect(second.body).toEqual({ datasets: [left], meta: { findings: [] } });
    const again = await view();
    expect(again.body).toMatchObject({ views: [{ search: 'sort=name&q=iban' }] });
    expect((await sendSearch()).body).toMatchObject({ datasets: [{ search: 'a=1,iban' }] });
    await root.patch('configuration/users/ben', { user: { rights: {} } });
    expect((await send()).status).toBe(404);
  });

  it('answer a repeated request without a field that was renamed and hidden since', async () => {
    const names = ['NO', 'IBAN', 'CITY'];
    const renamed = await buildArchive(
      t.database,
      names.map((name) => ({ name })),
    );
    await buildRecords(t.database, renamed, [['R-1', 'DE77 hush', 'Rome']]);
    await buildUser(t.database, { username: 'kim', rights: [rightOn(renamed, 'write')] });
    const kim = await t.signedIn('kim');
    const send = () =>
      kim.patch(`${archivePath(renamed)}/documents/1/indexdata`, field('NO', 'R-2'), {
        headers: { 'idempotency-key': 'renamed' },
      });
    expect((await send()).text).toContain('hush');
    const administration = new ArchiveAdministration(root, renamed.name);
    // Another field gets the name of the one that is hidden, and another one a new name.
    await administration.rename('IBAN', 'ACCOUNT');
    await administration.rename('NO', 'IBAN');
    await administration.rename('CITY', 'PLACE');
    const fields = { ACCOUNT: 'hidden' };
    const rights = { archives: { [renamed.name]: { right: 'write', fields } } };
    await root.patch('configuration/users/kim', { user: { rights } });
    const again = await send();
    expect([again.status, again.text]).toEqual([200, expect.not.stringMatching(/hush|IBAN/)]);
    expect(again.text).toContain('{"name":"NO","value":"R-2"}');
    expect(again.text).toContain('{"name":"CITY","value":"Rome"}');
  });

  it('answer a repeated request without the only hidden field, which was retired since, and whose name a visible one has had', async () => {
    const names = ['NO', 'IBAN', 'ACCOUNT', 'NOTE'];
    const retired = await buildArchive(
      t.database,
      names.map((name) => ({ name })),
    );
    await buildRecords(t.database, retired, [['R-1', 'seen', 'DE77 hush', null]]);
    const administration = new ArchiveAdministration(root, retired.name);
    await administration.rename('IBAN', 'PLACE');
    await administration.rename('ACCOUNT', 'IBAN');
    await buildUser(t.database, { username: 'lea', rights: [rightOn(retired, 'write')] });
    const lea = await t.signedIn('lea');
    const send = () =>
      lea.patch(`${archivePath(retired)}/documents/1/indexdata`, field('NO', 'R-2'), {
        headers: { 'idempotency-key': 'retired' },
      });
    expect((await send()).text).toContain('hush');
    const fields = { IBAN: 'hidden' };
    const rights = { archives: { [retired.name]: { right: 'write', fields } } };
    await root.patch('configuration/users/lea', { user: { rights } });
    const { indexFields } = await administration.get();
    const without = indexFields.filter(({ name }) => name !== 'IBAN');
    expect((await administration.put(without)).status).toBe(200);
    const again = await send();
    expect([again.status, again.text]).toEqual([200, expect.not.stringMatching(/hush|IBAN/)]);
    expect(again.text).toContain('{"name":"NO","value":"R-2"}');
    expect(again.text).toContain('{"name":"PLACE","value":"seen"}');
  });

  it('hold for bulk edits, imports and pastes', async () => {
    const id = await revision({ NO: 'bulk' });
    const plan = (name: string) =>
      anna.post(`${archivePath(archive)}/bulkedits`, {
        selection: { revisionIds: [id] },
        edits: [{ field: name, do: 'set', value: '1' }],
      });
    expect((await plan('IBAN')).status).toBe(422);
    expect((await plan('TOTAL')).status).toBe(403);
    const copied = await anna.post(`${archivePath(archive)}/bulkedits`, {
      selection: { revisionIds: [id] },
      edits: [{ field: 'NOTE', do: 'copy', from: 'IBAN' }],
    });
    expect(copied.status).toBe(422);
    const made = await root.post(datasetsPath(table), {
      dataset: { name: 'P', iban: 'hush', secret: 's', credit: 7 },
    });
    const { jrid } = Object(made.body).datasets[0];
    const paste = (column: string, value: string) =>
      anna.post(`application/dataapp/tables/${table.guid}/pastes`, {
        columns: [{ field: column, decimal: null, order: null }],
        datasets: [{ jrid, ifMatch: null, cells: [value] }],
      });
    expect((await paste('iban', 'x')).status).toBe(422);
    const refused = await paste('credit', '8');
    expect(refused.body).toMatchObject({ bulkedits: [{ counts: { invalid: 1, changed: 0 } }] });
    expect((await paste('credit', '7')).body).toMatchObject({
      bulkedits: [{ counts: { unchanged: 1 } }],
    });
  });

  it(
    'hold for imports that change revisions, in whose refused rows hidden fields are unknown headers',
    { tags: ['slow'] },
    async () => {
      const id = await revision({ NO: 'R-2' });
      const path = archivePath(archive);
      const csv = [
        'Revision id,NO,TOTAL,IBAN,keyword.TAG,keyword.SECRET,keyword.FIXED',
        `${id},R-3,13,DE1,tag word,s,fixed word`,
      ];
      const plan = async (lines: readonly string[]) => {
        const form = formOf([['files[0]', { name: 'rows.csv', bytes: lines.join('\n') }]]);
        const answer = await anna.post(`${path}/imports`, form.body, { headers: form.headers });
        return `${path}/bulkedits/${bulkEditOf(answer).bulkEditId}`;
      };
      const refused = await plan(csv);
      expect(await revisionsOf(anna, refused)).toEqual([
        {
          revisionId: id,
          outcome: 'invalid',
          changes: [
            { name: 'NO', before: 'R-2', after: 'R-3' },
            { name: 'TOTAL', before: 12.5, after: 13 },
          ],
          message: expect.stringMatching(/^Row 2: TOTAL: /),
          cells: [
            { header: 'Revision id', text: id },
            { header: 'NO', text: 'R-3' },
            { header: 'TOTAL', text: '13', message: READ_ONLY },
            { header: 'IBAN', text: 'DE1' },
            { header: 'keyword.TAG', text: 'tag word' },
            { header: 'keyword.SECRET', text: 's' },
            { header: 'keyword.FIXED', text: 'fixed word' },
          ],
        },
      ]);
      const { text } = await anna.get(`${refused}/refused`);
      const [header] = csv;
      expect(text.split('\r\n')[0]).toBe(`\ufeff${header},Row,Reason`);
      const keyword = await plan([csv[0] ?? '', `${id},R-2,12.5,,tag word,,another`]);
      expect(await revisionsOf(anna, keyword, 'invalid')).toMatchObject([
        {
          message: expect.stringMatching(/^Row 2: FIXED: /),
          cells: expect.arrayContaining([
            { header: 'keyword.FIXED', text: 'another', message: READ_ONLY },
          ]),
        },
      ]);
      const corrected = await plan(text.replace(',13,', ',12.5,').split('\r\n'));
      expect(await revisionsOf(anna, corrected)).toMatchObject([
        { outcome: 'changed', changes: [{ name: 'NO', before: 'R-2', after: 'R-3' }] },
      ]);
    },
  );

  describe('hold for refused rows of imports from before', () => {
    const HIDDEN = { IBAN: 'hidden', CODE: 'hidden', 'keyword.SECRET': 'hidden' };
    let dora: TestClient;
    beforeAll(async () => {
      await buildUser(t.database, { username: 'dora' });
      dora = await t.signedIn('dora');
    });
    const grant = async (fields: Readonly<Record<string, string>>) => {
      const rights = { archives: { [archive.name]: { right: 'manage', fields } } };
      const answer = await root.patch('configuration/users/dora', { user: { rights } });
      expect(answer.status).toBe(200);
    };
    beforeEach(() => grant({}));
    const hide = () => grant(HIDDEN);
    /** Plans an import of documents. @returns its path */
    const planned = async (csv: string, columns?: readonly object[]) => {
      const form = formOf([
        ['mode', 'create'],
        ...(columns ? [['columns', JSON.stringify(columns)] as [string, string]] : []),
        ['files[0]', { name: 'rows.csv', bytes: csv }],
      ]);
      const path = archivePath(archive);
      const plan = await dora.post(`${path}/imports`, form.body, { headers: form.headers });
      return `${path}/bulkedits/${bulkEditOf(plan).bulkEditId}`;
    };
    const refused = async (at: string) => (await dora.get(`${at}/refused`)).text;

    it(
      'whose cells of hidden fields are left out, under any header',
      { tags: ['slow'] },
      async () => {
        const all = await planned('A,B,C,D,E,F\n,DE1,n,c,t,s\n', [
          ...['NO', 'IBAN', 'NOTE', 'CODE'].map((field) => ({ as: 'field', field })),
          ...['TAG', 'SECRET'].map((keyword) => ({ as: 'keyword', keyword })),
        ]);
        const named = await planned('NO,IBAN,keyword.SECRET,keyword.TAG\n,DE1,s,t\n');
        const [no, nothing] = [{ as: 'field', field: 'NO' }, { as: 'nothing' }];
        const unmapped = await planned('NO,keyword.SECRET\n,s\n', [no, nothing]);
        await hide();
        expect(await revisionsOf(dora, all, 'invalid')).toMatchObject([
          {
            cells: [
              { header: 'A', text: '' },
              { header: 'C', text: 'n' },
              { header: 'E', text: 't' },
            ],
          },
        ]);
        expect(await refused(all)).toMatch(/^\ufeffA,C,E,Row,Reason\r\n,n,t,2,/);
        expect(await refused(named)).toMatch(/^\ufeffNO,keyword\.TAG,Row/);
        expect(await refused(unmapped)).toMatch(/^\ufeffNO,Row/);
      },
    );

    it('whose reasons stay where they name no hidden field', { tags: ['long'] }, async () => {
      const messages = async (at: string) =>
        (await revisionsOf(dora, at, 'invalid')).map(({ message }) => message);
      const cellMessages = async (at: string) =>
        (await revisionsOf(dora, at, 'invalid')).map(({ cells }) =>
          cells?.flatMap(({ message }) => message ?? []),
        );
      const hidden = await planned('NO,IBAN,CODE\n1,,\n');
      expect(await messages(hidden)).toEqual([expect.stringContaining('IBAN')]);
      const both = await planned('NO,NOTE,IBAN\n1,a note of more than 20 characters,\n');
      expect(await cellMessages(both)).toEqual([[expect.any(String), expect.any(String)]]);
      await hide();
      expect(await messages(hidden)).toEqual([null]);
      expect(await cellMessages(both)).toEqual([[]]);
      const own = await planned('NO,NOTE,IBAN\n1,a note of more than 20 characters,DE1\n');
      expect(await messages(own)).toEqual([expect.stringContaining('NOTE')]);
      expect(await cellMessages(own)).toEqual([[expect.stringContaining('20 characters')]]);
      expect(await refused(own)).toMatch(/^\ufeffNO,NOTE,IBAN,Row,Reason\r\n1,.*,2,Row 2: NOTE/);
    });
  });

  it('stay with a field through a load of new ones, and give way to the greatest source', async () => {
    const group = {
      name: 'READS_IBAN',
      rights: { archives: { [archive.name]: { right: 'read', fields: { CODE: 'hidden' } } } },
      members: ['anna'],
    };
    await root.post('configuration/groups', { group });
    const id = await revision();
    expect(Object.keys(await valuesOf(id, anna))).toEqual([
      'NO',
      'IBAN',
      'TOTAL',
      'NOTE',
      'keywords',
    ]);
    const path = `${documents()}/${id}/indexdata`;
    expect((await anna.patch(path, field('IBAN', 'x'))).status).toBe(403);
    expect((await anna.patch(path, field('NO', 'x'))).status).toBe(200);
    await root.delete('configuration/groups/READS_IBAN');
    expect(Object.keys(await valuesOf(id, anna))).toEqual(['NO', 'TOTAL', 'NOTE', 'keywords']);
  });
});
