import { beforeAll, expect, it, vi } from 'vitest';
import { openFileStore } from '#server/modules/files/open-file-store.ts';
import { verifyInstallation } from '#server/modules/verification/verification.service.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { auditAnswer, auditEntryAnswer, type AuditEntry } from '#shared/contract/audit.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import { Authenticator } from '#tests/support/authenticator.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';

const AUDIT = 'configuration/audit';

describeOnOneDatabase('the audit', (open, { prepare }) => {
  let t: TestApp;
  let admin: TestClient;
  let clerk: TestClient;
  let archive: Archive;
  let table: Table;
  let revisionId = '';

  const read = async (query = '', client = admin) => {
    const answer = await client.get(`${AUDIT}?${query}`);
    expect(answer.text && answer.status).toBe(200);
    return auditAnswer.parse(answer.body);
  };
  const entriesOf = async (query: string): Promise<AuditEntry[]> => (await read(query)).entries;

  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(
      t.database,
      [{ name: 'NO' }, { name: 'TOTAL', type: 'decimal' }],
      ['TAG'],
    );
    table = await buildTable(t.database, [{ name: 'city' }]);
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    const rights = [rightOn(archive, 'manage'), rightOn(table, 'manage')];
    await buildUser(t.database, { rights });
    admin = await t.signedIn('root');
    clerk = await t.signedIn('clerk', { remoteAddress: '10.1.2.3' });
    const form = formOf([
      ['indexFields[0][name]', 'NO'],
      ['indexFields[0][value]', 'R-1'],
    ]);
    const created = await clerk.send('POST', `${archivePath(archive)}/documents`, form.body, form);
    [{ revisionId }] = Object(created.body).archivedocumentrevisions;
    const path = `${archivePath(archive)}/documents/${revisionId}/indexdata`;
    await clerk.patch(path, {
      indexFields: [{ name: 'TOTAL', value: 12.5 }],
      keywordFields: [{ name: 'TAG', keywords: 'Übergröße,"100%"' }],
    });
    await clerk.post(datasetsPath(table), { dataset: { city: 'MÜNCHEN' } });
  });

  it('is for administrators', async () => {
    expect((await t.client().get(AUDIT)).status).toBe(401);
    expect((await clerk.get(AUDIT)).status).toBe(403);
  });

  it('names who did what, from where and by which call, newest first', async () => {
    const [newest, changed, created] = await entriesOf('kind=data');
    expect(newest).toMatchObject({
      kind: 'data',
      subject: 'table',
      table: table.guid,
      action: 'create',
    });
    expect(changed).toMatchObject({
      user: 'clerk',
      archive: archive.name,
      id: revisionId,
      action: 'change',
      address: '10.1.2.3',
      call: expect.stringMatching(/^PATCH .*:archive\/documents\/:revisionId\/indexdata$/),
      changes: [
        { name: 'TOTAL', before: null, after: 12.5 },
        { name: 'keyword.TAG', before: [], after: ['Übergröße', '"100%"'] },
      ],
    });
    expect(created).toMatchObject({ action: 'create', id: revisionId });
    expect(changed).not.toHaveProperty('table');
  });

  it('tells of definitions, users, rights and sign-ins by their kinds', async () => {
    const definitions = await entriesOf('kind=definition');
    expect(definitions.map((entry) => entry.archive ?? entry.table)).toEqual([
      table.guid,
      archive.name,
    ]);
    const access = await entriesOf('kind=access');
    expect(access.map(({ id, action }) => [id, action])).toEqual([
      ['clerk', 'create'],
      ['root', 'create'],
    ]);
    const [signIn] = await entriesOf('kind=sign-in&user=CLERK');
    expect(signIn).toMatchObject({
      user: 'clerk',
      id: 'clerk',
      action: 'create',
      address: '10.1.2.3',
    });
  });

  it.each([
    [
      'the start of an archive',
      () => `archive=${archive.name.toLowerCase()}`,
      ['change', 'create', 'create'],
    ],
    [
      'the records of an archive alone',
      () => `archive=${archive.guid}&kind=data`,
      ['change', 'create'],
    ],
    ['a table by its name', () => `table=${table.name}&kind=data`, ['create']],
    ['a field in any case', () => 'field=total&kind=data', ['change']],
    ['a keyword field', () => 'field=keyword.TAG&value=übergr', ['change']],
    [
      'a value with characters that JSON escapes',
      () => `value=${encodeURIComponent('"100%"')}`,
      ['change'],
    ],
    ['a number', () => 'value=12.5', ['change']],
    ['no part of a number', () => 'value=12&field=TOTAL', []],
    ['a part of a text in any case', () => `value=${encodeURIComponent('münch')}`, ['create']],
    ['the value of another field', () => 'field=NO&value=12.5', []],
    ['a user and an archive', () => `user=clerk&archive=${archive.name}`, ['change', 'create']],
    ['a user without entries', () => 'user=nobody', []],
    ['the future', () => 'from=2190-01-01', []],
    ['the past', () => 'to=2020-01-01', []],
    [
      'all time',
      () => 'from=2020-01-01&to=2190-01-01T00:00:00%2B02:00&kind=data',
      ['create', 'change', 'create'],
    ],
  ])('filters by %s', async (_what, query, actions) => {
    expect((await entriesOf(query())).map(({ action }) => action)).toEqual(actions);
  });

  it.each([
    'from=yesterday',
    'to=2026-02-30',
    'kind=all',
    'archive=NONE',
    'table=none',
    'after=x',
    'after=999999',
    'limit=0',
    'where=1',
    'format=pdf',
  ])('refuses %s by its name', async (query) => {
    const answer = await admin.get(`${AUDIT}?${query}`);
    expect(answer.status).toBe(400);
    const [name = '', value] = query.split('=');
    const { errors } = errorBodySchema.parse(answer.body);
    expect(Object.keys(errors)).toEqual([name]);
    if (/archive|table/.test(name)) expect(errors[name]).toEqual([`There is no ${name} ${value}.`]);
  });

  it('is whole in pages, whatever the filter', async () => {
    for (const query of [
      '',
      'kind=data',
      'kind=definition',
      `archive=${archive.name}`,
      'value=e',
      'user=clerk',
    ]) {
      const all = await entriesOf(query);
      const paged: AuditEntry[] = [];
      let after = '';
      do {
        const page = await read(`${query}&limit=1${after}`);
        paged.push(...page.entries);
        after = page.meta.pagination.next === null ? '' : `&after=${page.meta.pagination.next}`;
      } while (after !== '');
      // Refusals are gathered before they are entered, so that some may have come meanwhile.
      const newest = Number(all[0]?.historyId);
      expect(paged.filter(({ historyId }) => Number(historyId) <= newest)).toEqual(all);
    }
  });

  it('says how far the chain has sealed it', async () => {
    await vi.waitFor(async () => {
      const { entries, meta } = await read('limit=1000');
      expect(meta.chain.sealedUpTo).toBe(entries.length);
      expect(meta.chain.head).toMatch(new RegExp(`^\\d+/${entries.length}/[0-9a-f]{64}/\\S+Z$`));
    });
  });

  it('opens an entry with the record as it was then', async () => {
    const entries = await entriesOf(`archive=${archive.name}&kind=data`);
    const states = [];
    for (const { historyId } of entries) {
      const answer = await admin.get(`${AUDIT}/${historyId}`);
      states.push(auditEntryAnswer.parse(answer.body).record);
    }
    const record = (total: number | null, ...tags: object[]) => ({
      exists: true,
      values: [{ name: 'NO', value: 'R-1' }, { name: 'TOTAL', value: total }, ...tags],
    });
    expect(states).toEqual([
      record(12.5, { name: 'keyword.TAG', value: ['Übergröße', '"100%"'] }),
      record(null),
    ]);
    const [definition] = await entriesOf('kind=definition');
    const answer = await admin.get(`${AUDIT}/${definition?.historyId}`);
    expect(auditEntryAnswer.parse(answer.body).record).toBeNull();
    expect((await admin.get(`${AUDIT}/999999`)).status).toBe(404);
  });

  it('opens an entry with values as they were converted by then', async () => {
    const prices = await buildTable(t.database, [{ name: 'price' }, { name: 'note' }]);
    const added = await admin.post(datasetsPath(prices), { dataset: { price: '12.5' } });
    const [{ jrid }] = Object(added.body).datasets;
    const path = `configuration/tables/${prices.guid}`;
    const { body, headers } = await admin.get(path);
    const [definition] = Object(body).tables;
    const [price, note] = definition.columns;
    const columns = [{ ...price, type: 'decimal', scale: 2, maxLength: null }, note];
    const changed = await admin.put(
      path,
      { table: { ...definition, columns } },
      { headers: { 'if-match': String(headers.etag) } },
    );
    expect(changed.text).toContain('"decimal"');
    await admin.put(`${datasetsPath(prices)}/${jrid}`, { dataset: { note: 'later' } });
    const [newest] = await entriesOf(`table=${prices.guid}&kind=data`);
    const answer = await admin.get(`${AUDIT}/${newest?.historyId}`);
    const { record } = auditEntryAnswer.parse(answer.body);
    expect(record?.values).toContainEqual({ name: 'price', value: 12.5 });
  });

  it('gathers refused sign-ins by account and address, and refused calls', async () => {
    const stranger = t.client({ remoteAddress: '192.0.2.9' });
    for (let i = 0; i < 3; i++) expect((await stranger.signIn('Clerk', 'wrong')).status).toBe(401);
    expect((await stranger.signIn('my secret password')).status).toBe(401);
    expect((await clerk.get(AUDIT)).status).toBe(403);
    await vi.waitFor(async () => {
      const refused = await entriesOf('kind=refused');
      expect(refused).toHaveLength(3);
    });
    const refused = await entriesOf('kind=refused');
    const told = refused.map(({ user, address, call, changes }) => [
      user,
      address,
      call,
      ...changes.map(({ after }) => after),
    ]);
    const attempt = ['192.0.2.9', 'POST application/sessions', 'invalid_credentials'];
    expect(told).toEqual(
      expect.arrayContaining([
        ['clerk', ...attempt, 3],
        [null, ...attempt, 1],
        ['clerk', '10.1.2.3', `GET ${AUDIT}`, 'forbidden', expect.any(Number)],
      ]),
    );
    expect(JSON.stringify(refused)).not.toContain('secret');
  });

  it('tells refused codes and passkeys of a session', { tags: ['slow'] }, async () => {
    const site = { rpId: 'localhost', origin: 'http://localhost' };
    const challenge = 'expired';
    const assertion = new Authenticator().get({ ...site, challenge });
    const proofs = { eva: { totp: '000000' }, fred: { challenge, assertion } };
    for (const [username, proof] of Object.entries(proofs)) {
      await buildUser(t.database, { username });
      const client = await t.signedIn(username, { remoteAddress: '192.0.2.7' });
      expect((await client.post('application/sessions/confirmations', proof)).status).toBe(401);
      const refused = await vi.waitFor(async () => {
        const entries = await entriesOf(`kind=refused&user=${username}`);
        expect(entries).toHaveLength(1);
        return entries;
      });
      expect(refused).toMatchObject([
        {
          address: '192.0.2.7',
          call: 'POST application/sessions/confirmations',
          changes: expect.arrayContaining([
            { name: 'reason', before: null, after: 'invalid_credentials' },
          ]),
        },
      ]);
    }
  });

  it('tells passwords of a session that are refused as there were too many', async () => {
    await buildUser(t.database, { username: 'gina' });
    const client = await t.signedIn('gina');
    const confirm = async () =>
      (await client.post('application/sessions/confirmations', { password: 'wrong' })).status;
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429) statuses.push(await confirm());
    await vi.waitFor(async () => {
      const entries = await entriesOf('kind=refused&user=gina');
      expect(entries.flatMap(({ changes }) => changes)).toEqual(
        expect.arrayContaining([{ name: 'reason', before: null, after: 'too_many_requests' }]),
      );
    });
  });

  it('is verified with the chain', async () => {
    const config = await prepare();
    const lines: string[] = [];
    const report = {
      progress: () => undefined,
      info: () => undefined,
      fail: (line: string) => void lines.push(line),
    };
    const options = { contents: true, deep: false, since: null };
    await verifyInstallation(t.database, config, openFileStore(t.config), options, report);
    expect(lines).toEqual([]);
  });

  it('finds the entries of a deleted user in any case', async () => {
    await buildUser(t.database, { username: 'Leaver' });
    await t.signedIn('Leaver');
    expect((await admin.delete('configuration/users/Leaver')).status).toBe(204);
    expect(await entriesOf('kind=sign-in&user=LEAVER')).toMatchObject([{ user: 'Leaver' }]);
  });
});
