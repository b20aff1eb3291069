/** @module-tag slow */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { documentsAnswer, historyAnswer } from '#shared/contract/answers.ts';
import { type AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords } from '#tests/support/builders.ts';
import { bulkEditOf, ended, revisionsOf } from '#tests/support/bulk-edits.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';

describeOnOneDatabase('importing revisions', (open) => {
  let t: TestApp;
  let archive: Archive;
  let clerk: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    await buildUser(t.database, { role: 'administrator' });
    clerk = await t.signedIn('clerk');
  });
  beforeEach(async () => {
    archive = await buildArchive(
      t.database,
      [
        { name: 'NO', label: 'Number', required: true, maxLength: 8 },
        { name: 'TOTAL', type: 'decimal' },
        { name: 'DAY', type: 'date' },
      ],
      ['SUBJECT'],
    );
  });
  const plan = (csv: string, fields: Readonly<Record<string, string>>) => {
    const file = { name: 'contracts.csv', bytes: csv };
    const form = formOf([...Object.entries(fields), ['files[0]', file]]);
    return clerk.post(`${archivePath(archive)}/imports`, form.body, { headers: form.headers });
  };
  const at = ({ bulkEditId }: AnsweredBulkEdit) =>
    `${archivePath(archive)}/bulkedits/${bulkEditId}`;
  const run = async (job: AnsweredBulkEdit, verb: 'apply' | 'undo') => {
    const body = verb === 'apply' ? { onChanged: 'leaveOut' } : undefined;
    expect(await clerk.post(`${at(job)}/${verb}`, body)).toMatchObject({ status: 200 });
    return ended(clerk, at(job));
  };
  const stored = async () => {
    const { body } = await clerk.get(`${archivePath(archive)}/documents?sort=revisionId`);
    return documentsAnswer.parse(body).archivedocuments;
  };
  const CSV = [
    'Number;Total;Day;keyword.SUBJECT',
    'A-1;1.234,50;31.12.2026;paper, gas\\, water',
    'A-2;;;',
    'much too long;x;31.02.2026;ink',
    ';7,5;01.02.2027;',
  ].join('\r\n');

  it('creates documents with index data and keywords, and undoes it', async () => {
    const job = bulkEditOf(await plan(CSV, { mode: 'create' }));
    expect(job).toMatchObject({
      kind: 'import',
      counts: { total: 4, created: 2, changed: 0, invalid: 2, pending: 2 },
    });
    expect(await stored()).toEqual([]);
    expect(await run(job, 'apply')).toMatchObject({ state: 'done', counts: { done: 2 } });
    const [first, second, ...others] = await stored();
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      revision: 1,
      documentId: first?.revisionId,
      indexFields: [
        { name: 'NO', value: 'A-1' },
        { name: 'TOTAL', value: 1234.5 },
        { name: 'DAY', value: '2026-12-31' },
      ],
      keywordFields: [
        { name: 'SUBJECT', value: 'paper' },
        { name: 'SUBJECT', value: 'gas, water' },
      ],
      files: [],
    });
    expect(second?.keywordFields).toEqual([]);
    const history = await clerk.get(
      `${archivePath(archive)}/documents/${first?.revisionId}/history`,
    );
    expect(historyAnswer.parse(history.body).history).toMatchObject([{ user: 'clerk' }]);
    expect((await revisionsOf(clerk, at(job), 'created')).map((row) => row.revisionId)).toEqual([
      first?.revisionId,
      second?.revisionId,
    ]);
    expect(await run(job, 'undo')).toMatchObject({ state: 'undone', counts: { takenBack: 2 } });
    expect(await stored()).toEqual([]);
  });

  it('keeps the refused rows with their reasons, to be corrected and sent again', async () => {
    const job = bulkEditOf(await plan(CSV, { mode: 'create' }));
    const refused = await revisionsOf(clerk, at(job), 'invalid');
    expect(refused).toMatchObject([
      {
        revisionId: null,
        line: 4,
        message: expect.stringContaining('Number'),
        cells: [
          { header: 'Number', text: 'much too long' },
          { header: 'Total', text: 'x' },
          { header: 'Day', text: '31.02.2026' },
          { header: 'keyword.SUBJECT', text: 'ink' },
        ],
      },
      { revisionId: null, line: 5, message: expect.stringContaining('Number') },
    ]);
    const csv = await clerk.get(`${at(job)}/refused?separator=semicolon`);
    expect(csv.headers['content-type']).toContain('text/csv');
    expect(csv.text.split('\r\n').slice(0, 2)).toEqual([
      '\ufeffNumber;Total;Day;keyword.SUBJECT;Row;Reason',
      expect.stringMatching(/^much too long;x;31\.02\.2026;ink;4;/),
    ]);
    const corrected = csv.text.replace('much too long;x;31.02.2026', 'A-3;2,00;28.02.2026');
    const again = bulkEditOf(await plan(corrected, { mode: 'create' }));
    expect(again.counts).toMatchObject({ total: 2, created: 1, invalid: 1 });
  });

  it('reads files as the user says they are written', async () => {
    const columns = JSON.stringify([
      { as: 'field', field: 'no' },
      { as: 'field', field: 'DAY', order: 'mdy' },
      { as: 'keyword', keyword: 'subject' },
    ]);
    const fields = { mode: 'create', columns, header: '0', separator: '|', encoding: 'utf-16le' };
    const csv = Buffer.from('B-1|03/04/2026|ink\r\n', 'utf16le').toString('latin1');
    const form = formOf([
      ...Object.entries(fields),
      ['files[0]', { name: 'a.csv', bytes: Buffer.from(csv, 'latin1') }],
    ]);
    const answer = await clerk.post(`${archivePath(archive)}/imports`, form.body, {
      headers: form.headers,
    });
    const job = bulkEditOf(answer);
    expect((await revisionsOf(clerk, at(job)))[0]).toMatchObject({
      outcome: 'new',
      line: 1,
      changes: [
        { name: 'NO', after: 'B-1' },
        { name: 'DAY', after: '2026-03-04' },
        { name: 'keyword.SUBJECT', before: [], after: ['ink'] },
      ],
    });
  });

  it('changes keywords by a corrected export', async () => {
    await buildRecords(
      t.database,
      archive,
      [
        ['A', 1, null],
        ['B', 2, null],
      ],
      (row) => [row === 0 ? ['a, b', 'c'] : []],
    );
    const exported = await clerk.get(`${archivePath(archive)}/index/export?format=csv`);
    expect(bulkEditOf(await plan(exported.text, {})).counts).toMatchObject({ unchanged: 2 });
    const job = bulkEditOf(await plan(exported.text.replace('"a\\, b,c"', 'c'), {}));
    expect(job.counts).toMatchObject({ total: 2, changed: 1, unchanged: 1 });
    const change = { name: 'keyword.SUBJECT', before: ['a, b', 'c'], after: ['c'] };
    expect(await revisionsOf(clerk, at(job), 'changed')).toMatchObject([{ changes: [change] }]);
    await run(job, 'apply');
    expect((await stored())[0]?.keywordFields).toEqual([{ name: 'SUBJECT', value: 'c' }]);
    await run(job, 'undo');
    expect((await stored())[0]?.keywordFields).toHaveLength(2);
  });

  it('refuses what it does not know', async () => {
    expect(await plan(CSV, { mode: 'both' })).toMatchObject({ status: 422 });
    expect(await plan(CSV, { mode: 'create', header: 'x', separator: ';;' })).toMatchObject({
      status: 422,
      body: { errors: { header: [expect.any(String)], separator: [expect.any(String)] } },
    });
    const columns = '[{"as":"keyword","keyword":"NOTHING"}]';
    expect(await plan(CSV, { mode: 'create', columns })).toMatchObject({
      status: 422,
      body: { errors: { 'columns.0': [expect.any(String)] } },
    });
  });
});
