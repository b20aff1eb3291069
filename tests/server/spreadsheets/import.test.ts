/** @module-tag slow */
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { noSuchDateInCell } from '#messages/values.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { revisionDetailAnswer } from '#shared/contract/answers.ts';
import { bulkEditRevisionsAnswer, bulkEditsAnswer } from '#shared/contract/bulk-edit-answers.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { sampled } from '#tests/support/effort.ts';
import { formOf } from '#tests/support/forms.ts';
import { buildWorkbook } from '#tests/support/workbooks.ts';

describeOnOneDatabase('importing a corrected spreadsheet', (open) => {
  let t: TestApp;
  let archive: Archive;
  let clerk: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    await buildUser(t.database, { role: 'administrator' });
    clerk = await t.signedIn('clerk');
  });
  const path = (rest: string) => `${archivePath(archive)}/${rest}`;
  beforeEach(async () => {
    archive = await buildArchive(t.database, [
      { name: 'TITLE', label: 'Title', required: true },
      { name: 'AMOUNT', label: 'Amount', type: 'decimal' },
      { name: 'DAY', label: 'Day', type: 'date' },
      { name: 'NOTE', label: 'Note' },
    ]);
    await buildRecords(t.database, archive, [
      ['=one', 1.5, '2024-03-12', 'two\r\nlines'],
      ['two', 1234.5, null, ''],
      ['three', null, '1850-01-01', null],
    ]);
  });
  const plan = async (bytes: string | Uint8Array, columns?: unknown) => {
    const form = formOf([
      ['files[0]', { name: 'corrected', bytes: Buffer.from(bytes) }],
      ...(columns === undefined ? [] : [['columns', JSON.stringify(columns)] as const]),
    ]);
    return clerk.post(path('imports'), form.body, { headers: form.headers });
  };
  const planned = async (bytes: string | Uint8Array, columns?: unknown) => {
    const answer = await plan(bytes, columns);
    expect(answer).toMatchObject({ status: 201 });
    const [bulkEdit] = bulkEditsAnswer.parse(answer.body).bulkedits;
    if (!bulkEdit) throw new Error('Nothing is planned.');
    const { body } = await clerk.get(path(`bulkedits/${bulkEdit.bulkEditId}/revisions?limit=1000`));
    return { ...bulkEdit, revisions: bulkEditRevisionsAnswer.parse(body).revisions };
  };
  const apply = async (bulkEditId: string) => {
    const at = path(`bulkedits/${bulkEditId}`);
    await clerk.post(`${at}/apply`, { onChanged: 'leaveOut' });
    return vi.waitFor(async () => {
      const [now] = bulkEditsAnswer.parse((await clerk.get(at)).body).bulkedits;
      expect(now?.state).toBe('done');
      return now;
    });
  };
  const stored = async (id: number) => {
    const { body } = await clerk.get(path(`documents/${id}`));
    const [revision] = revisionDetailAnswer.parse(body).archivedocumentrevisions;
    return revision?.indexFields.map(({ value }) => value);
  };

  it.each(sampled(1, ['csv&headers=names', 'xlsx', 'csv', 'csv&separator=semicolon']))(
    'finds nothing to change in what was exported as %s',
    async (format) => {
      const { bytes } = await clerk.get(path(`index/export?format=${format}`));
      const { kind, counts } = await planned(bytes);
      expect(kind).toBe('import');
      expect(counts).toMatchObject({ total: 3, unchanged: 3, changed: 0, invalid: 0 });
    },
  );

  it('changes what was corrected in the file, and nothing else', async () => {
    const { bytes } = await clerk.get(path('index/export'));
    const [sheet] = (await readXlsx(bytes)).sheets;
    if (!sheet) throw new Error('The file has no sheet.');
    const rows = sheet.rows.map((row) => [...row]);
    rows[1]?.splice(3, 1, 2.25);
    rows[2]?.splice(4, 1, new Date('2024-05-06'));
    const corrected = await writeXlsx({ sheets: [{ name: 'Any', rows }] });
    const { bulkEditId, revisions } = await planned(corrected);
    expect(revisions.map(({ outcome, changes }) => [outcome, changes])).toEqual([
      ['changed', [{ name: 'AMOUNT', before: 1.5, after: 2.25 }]],
      ['changed', [{ name: 'DAY', before: null, after: '2024-05-06' }]],
      ['unchanged', []],
    ]);
    expect(await stored(1)).toEqual(['=one', 1.5, '2024-03-12', 'two\r\nlines']);
    await apply(bulkEditId);
    expect(await stored(1)).toEqual(['=one', 2.25, '2024-03-12', 'two\r\nlines']);
    expect(await stored(2)).toEqual(['two', 1234.5, '2024-05-06', '']);
  });

  it('reads numbers and dates as Germans and Americans write them', async () => {
    const german = await planned('Revision id;Amount;Day\n1;1.234,50;31.12.2024\n2;0,5;1.2.25\n');
    expect(german.revisions.map(({ changes }) => changes.map(({ after }) => after))).toEqual([
      [1234.5, '2024-12-31'],
      [0.5, '2025-02-01'],
    ]);
    const american = await planned(
      'Revision id,Amount,Day\n1,"1,234.75",12/31/2024\n2,7,1/2/2025\n',
    );
    expect(american.revisions.map(({ changes }) => changes.map(({ after }) => after))).toEqual([
      [1234.75, '2024-12-31'],
      [7, '2025-01-02'],
    ]);
  });

  it('does not guess what can be read in two ways', async () => {
    const csv = 'Revision id,Day\n1,03/04/2024\n';
    const answer = await plan(csv);
    expect(answer.status).toBe(422);
    expect(errorBodySchema.parse(answer.body).errors).toEqual({
      'columns.1': [expect.stringContaining('03/04/2024')],
    });
    const decided = await planned(csv, [{ as: 'id' }, { as: 'field', field: 'DAY', order: 'dmy' }]);
    expect(decided.revisions[0]?.changes).toMatchObject([{ after: '2024-04-03' }]);
  });

  it('leaves out what others have changed since the export', async () => {
    const { text } = await clerk.get(path('index/export?format=csv'));
    await clerk.patch(path('documents/2/indexdata'), {
      indexFields: [{ name: 'NOTE', value: 'theirs' }],
    });
    const { counts, revisions } = await planned(
      text.replace('three', 'mine').replace('two,1234.5', 'mine too,1234.5'),
    );
    expect(counts).toMatchObject({ pending: 1, conflicts: 1 });
    expect(revisions.find(({ outcome }) => outcome === 'conflict')).toMatchObject({
      revisionId: '2',
      message: expect.stringContaining('clerk'),
    });
  });

  it('tells for each revision what is wrong with it', async () => {
    const csv = [
      'Revision id,Title,Amount,Day',
      '1,,1.5,',
      '2,two,lots,2024-13-01',
      '3,three,,1850-01-01',
      '3,again,,',
      '99,nobody,,',
    ].join('\n');
    const { revisions } = await planned(csv);
    expect(
      revisions.map(({ revisionId, outcome, message }) => [revisionId, outcome, message]),
    ).toEqual([
      ['1', 'invalid', expect.stringContaining('required')],
      ['2', 'invalid', expect.stringMatching(/^Row 3: Amount “lots”: .* Day “2024-13-01”: /)],
      ['3', 'invalid', 'Row 4: The revision occurs in the file twice, again in row 5.'],
      ['99', 'missing', expect.stringContaining('99')],
    ]);
  });

  it('tells that a cell has no date if its number is too large for one', async () => {
    const header = ['Revision id', 'Day'].map(
      (text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`,
    );
    const rows = `<row>${header.join('')}</row><row><c><v>1</v></c><c s="1"><v>1e12</v></c></row>`;
    const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>';
    const { revisions } = await planned(await buildWorkbook({ rows, styles }));
    expect(revisions).toMatchObject([
      { outcome: 'invalid', message: `Row 2: Day: ${noSuchDateInCell.message}` },
    ]);
  });

  describe('refuses', () => {
    const wrong = sampled(2, [
      ['a file without ids', 'Title\none\n', /ids/],
      ['rows without an id', 'Revision id,Title\n1,a\n,b\nx,c\n', /Row 3/],
      ['a file that corrects no field', 'Revision id,Version\n1,1\n', /field/],
    ]);
    it.each(wrong)('%s', async (_, csv, reason) => {
      const answer = await plan(csv);
      expect(answer.status).toBe(422);
      expect(errorBodySchema.parse(answer.body).errors['files.0']?.[0]).toMatch(reason);
    });

    it('whoever may only read', async () => {
      await buildUser(t.database, {
        username: `reading-${archive.name}`,
        rights: [rightOn(archive, 'read')],
      });
      const reading = await t.signedIn(`reading-${archive.name}`);
      const form = formOf([['files[0]', { name: 'x', bytes: 'Revision id,Title\n1,a\n' }]]);
      const answer = await reading.post(path('imports'), form.body, { headers: form.headers });
      expect(answer.status).toBe(403);
    });
  });
});
