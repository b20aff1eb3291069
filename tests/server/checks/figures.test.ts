/** @module-tag slow */
import { beforeEach, expect, it, vi } from 'vitest';
import { type Figures, figuresAnswer } from '#shared/contract/check-figures.ts';
import { clockOf } from '#shared/checks/rule-clock.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildRecords, buildTable, rightOn } from '#tests/support/builders.ts';
import { formOf } from '#tests/support/forms.ts';
import { ended, planAt } from '#tests/support/bulk-edits.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';

describeOnOneDatabase('figures of an archive', (open) => {
  const FIELDS = [
    { name: 'NET', type: 'decimal' },
    { name: 'TOTAL', type: 'decimal' },
    { name: 'NO', type: 'text', required: true },
    { name: 'PLACE', type: 'text', required: true },
  ];
  const CHECKS = [
    { name: 'SUM', label: 'The total is wrong', rule: 'NET * 2 = TOTAL' },
    { name: 'SMALL', rule: 'NET < 100' },
    { name: 'TWICE', duplicates: [['NO']] },
  ];
  let t: TestApp;
  let admin: TestClient;
  let built: Archive;
  let archive: ArchiveAdministration;

  const begin = async (settings: { readonly figuresByPerson?: boolean }) => {
    t = await openApp(open, settings);
    built = await buildArchive(t.database, FIELDS);
    await buildRecords(t.database, built, [
      [1, 2, 'A', 'x'],
      [1, 3, 'B', 'x'],
      [200, 3, 'C', 'x'],
      [null, 4, 'D', null],
    ]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    admin = await t.signedIn('admin');
    archive = new ArchiveAdministration(admin, built.name);
    await archive.put(FIELDS, { checks: CHECKS });
  };
  beforeEach(() => begin({ figuresByPerson: true }));

  const figures = async (client = admin, query = '') =>
    figuresAnswer.parse((await client.get(`${archive.records}/checks/figures${query}`)).body);
  const counts = ({ checks }: Figures) =>
    Object.fromEntries(checks.map(({ name, count }) => [name, count]));
  const counted = (expected: Record<string, number>) =>
    vi.waitFor(async () => {
      const found = await figures();
      expect(counts(found)).toMatchObject(expected);
      return found;
    });
  const save = (client: TestClient, id: number, name: string, value: unknown) =>
    client.patch(`${archive.records}/documents/${id}/indexdata`, {
      indexFields: [{ name, value }],
    });
  const today = () => clockOf(Date.now(), t.config.timeZone).today;
  const daysAgo = (count: number) =>
    new Date(Date.parse(today()) - count * 86_400_000).toISOString().slice(0, 10);

  it('count findings now, by field and by origin, and the records with and without', async () => {
    await counted({ SUM: 2, SMALL: 1, TWICE: 0, _required: 1 });
    const found = await figures();
    expect(found.days).toHaveLength(90);
    expect(found.days.at(-1)).toBe(today());
    expect(found.records).toMatchObject({ total: 4, withFindings: 3 });
    expect(found.records.daily.at(-1)).toBe(3);
    expect(found.examined).toEqual({
      records: 3,
      fields: [
        { name: 'NET', findings: 3 },
        { name: 'TOTAL', findings: 2 },
        { name: 'PLACE', findings: 1 },
      ],
      origins: [{ origin: 'other', findings: 4 }],
    });
    // What a person and a bulk edit have written is theirs; other fields stay with the load.
    await save(admin, 1, 'TOTAL', 5);
    const edits = [{ field: 'NET', do: 'set', value: 300 }];
    const bulk = `${archive.records}/bulkedits`;
    const at = await planAt(admin, bulk, { revisionIds: ['2'] }, edits);
    expect((await admin.post(`${at}/apply`, {})).status).toBe(200);
    await ended(admin, at);
    const later = await counted({ SUM: 3, SMALL: 2 });
    expect(later.examined.origins).toEqual(
      expect.arrayContaining([
        { origin: 'other', findings: 3 },
        { origin: 'edit', findings: 2 },
        { origin: 'person', findings: 1 },
      ]),
    );
  });

  it('count what was put right, by whom, and neither exceptions nor new revisions', async () => {
    const rights = [rightOn(built, 'manage')];
    await buildUser(t.database, { username: 'bea', displayName: 'Bea', role: 'clerk', rights });
    const bea = await t.signedIn('bea');
    await counted({ SUM: 2, SMALL: 1, _required: 1 });
    await save(bea, 2, 'TOTAL', 2);
    await save(admin, 4, 'PLACE', 'y');
    await counted({ SUM: 1, _required: 0 });
    const reason = { reason: 'right' };
    await admin.put(`${archive.records}/documents/3/exceptions/SMALL`, reason);
    await counted({ SMALL: 0 });
    // The new revision of a document has the finding of the one before.
    const values = { NET: '200', TOTAL: '3', NO: 'C', PLACE: 'x' };
    const form = formOf(
      Object.entries(values).flatMap(([name, value], i) => [
        [`indexFields[${i}][name]`, name],
        [`indexFields[${i}][value]`, value],
      ]),
    );
    const copied = await admin.post(`${archive.records}/documents/3`, form.body, {
      headers: form.headers,
    });
    expect(copied.status).toBe(201);
    await save(admin, 1, 'NET', 2);
    const found = await counted({ SUM: 2, SMALL: 0 });
    expect(found.corrections).toMatchObject({
      count: 2,
      own: 1,
      people: expect.arrayContaining([
        { username: 'bea', displayName: 'Bea', count: 1 },
        { username: 'admin', displayName: expect.any(String), count: 1 },
      ]),
    });
    expect(found.corrections.people).toHaveLength(2);
    expect(found.corrections.daily.at(-1)).toBe(2);
    expect(found.checks.find(({ name }) => name === 'SUM')).toMatchObject({ corrected: 1 });
    expect((await figures(bea)).corrections).toMatchObject({ own: 1 });
    // Whoever only writes sees the own number alone.
    await buildUser(t.database, {
      username: 'carl',
      role: 'clerk',
      rights: [rightOn(built, 'write')],
    });
    const carl = await t.signedIn('carl');
    expect((await figures(carl)).corrections).toMatchObject({ count: 2, own: 0, people: null });
  });

  it('tell nobody who has put right what, unless the service is set to', async () => {
    await begin({});
    await counted({ SUM: 2 });
    await save(admin, 2, 'TOTAL', 2);
    const found = await counted({ SUM: 1 });
    expect(found.corrections).toMatchObject({ count: 1, own: 1, people: null });
  });

  it('fill days without a count with the one before', async () => {
    await counted({ SUM: 2, SMALL: 1, _rules: 0, _required: 1 });
    const about = { scope: 'archive', thing_id: built.id } as const;
    await t.database.write((db) =>
      db.k
        .insertInto('daily_findings')
        .values([
          { ...about, name: 'SUM', day: daysAgo(400), count: 9 },
          { ...about, name: 'SUM', day: daysAgo(3), count: 5 },
          { ...about, name: 'SMALL', day: daysAgo(2), count: 7 },
          { ...about, name: '', day: daysAgo(3), count: 8 },
        ])
        .execute(),
    );
    const found = await figures(admin, '?days=5');
    const daily = (name: string) => found.checks.find((check) => check.name === name)?.daily;
    expect(daily('SUM')).toEqual([9, 5, 5, 5, 2]);
    expect(daily('SMALL')).toEqual([null, null, 7, 7, 1]);
    expect(daily('_rules')).toEqual([null, null, null, null, 0]);
    expect(found.records.daily).toEqual([null, 8, 8, 8, 3]);
    expect(await admin.get(`${archive.records}/checks/figures?days=0`)).toMatchObject({
      status: 400,
      body: { errors: { days: [expect.any(String)] } },
    });
  });

  it('leave out what a person may not know of', async () => {
    await counted({ SUM: 2, SMALL: 1, _required: 1 });
    await save(admin, 2, 'TOTAL', 2);
    await counted({ SUM: 1, _required: 1 });
    await buildUser(t.database, { username: 'bea', role: 'clerk', rights: [] });
    const hidden = { right: 'read', fields: { TOTAL: 'hidden', PLACE: 'hidden' } };
    const rights = { archives: { [archive.table]: hidden }, tables: {} };
    await admin.patch('configuration/users/bea', { user: { rights } });
    const found = await figures(await t.signedIn('bea'));
    expect(found.checks.map(({ name }) => name)).not.toContain('SUM');
    expect(counts(found)).toMatchObject({ SMALL: 1, _required: 0 });
    expect(found.checks.find(({ name }) => name === '_required')).toMatchObject({
      corrected: null,
      daily: found.days.map(() => null),
    });
    expect(found.records).toMatchObject({ total: 4, withFindings: 1 });
    expect(found.corrections).toMatchObject({ count: 0, own: 0, people: null });
    expect(found.examined).toMatchObject({ fields: [{ name: 'NET', findings: 1 }] });
  });

  it('do not count an exception in what a person sees, whatever is found in the rest', async () => {
    const required = ['NO', 'PLACE'].map((name) => ({ name, type: 'text', required: true }));
    built = await buildArchive(t.database, required);
    archive = new ArchiveAdministration(admin, built.name);
    await buildRecords(t.database, built, [[null, null]]);
    await buildUser(t.database, { username: 'bea', role: 'clerk', rights: [] });
    const hidden = { right: 'write', fields: { PLACE: 'hidden' } };
    const rights = { archives: { [archive.table]: hidden }, tables: {} };
    await admin.patch('configuration/users/bea', { user: { rights } });
    const bea = await t.signedIn('bea');
    await counted({ _required: 1 });
    expect(counts(await figures(bea))).toMatchObject({ _required: 1 });
    const path = `${archive.records}/documents/1/exceptions/_required`;
    expect((await bea.put(path, { reason: 'right' })).status).toBe(200);
    expect(counts(await figures())).toMatchObject({ _required: 1 });
    const found = await figures(bea);
    expect(counts(found)).toMatchObject({ _required: 0 });
    expect(found.records).toMatchObject({ withFindings: 0 });
    const { body } = await bea.get(`${archive.records}/checks`);
    expect(Object(body).checks).toContainEqual(
      expect.objectContaining({ name: '_required', count: 0 }),
    );
  });

  it('are there for tables', async () => {
    const table = await buildTable(t.database, [{ name: 'NAME', type: 'text', required: true }]);
    await buildRecords(t.database, table, [['a'], [null]]);
    await vi.waitFor(async () => {
      const path = `application/dataapp/tables/${table.guid}/checks/figures?days=2`;
      const found = figuresAnswer.parse((await admin.get(path)).body);
      expect(counts(found)).toMatchObject({ _required: 1 });
      expect(found.records).toMatchObject({ total: 2, withFindings: 1 });
    });
  });
});
