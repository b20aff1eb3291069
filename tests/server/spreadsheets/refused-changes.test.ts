/** @module-tag slow */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { revisionDetailAnswer } from '#shared/contract/answers.ts';
import type { AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords, rightOn } from '#tests/support/builders.ts';
import { bulkEditOf, ended, revisionsOf } from '#tests/support/bulk-edits.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';

/** More than the rows that are planned together. */
const MANY = 250;
const FEW = 4;
const CHECKS = [
  { name: 'LARGE', label: 'Large amount', rule: 'AMOUNT < 1000' },
  { name: 'NEGATIVE', label: 'Negative amount', rule: 'AMOUNT >= 0', severity: 'block' },
];

describeOnOneDatabase('rows of a corrected spreadsheet that are refused', (open) => {
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
        { name: 'TITLE', label: 'Title', required: true, maxLength: 20 },
        { name: 'AMOUNT', label: 'Amount', type: 'decimal' },
        { name: 'CITY', label: 'City' },
      ],
      ['SUBJECT'],
      { checks: CHECKS },
    );
    await addRecords(1, FEW);
  });
  const addRecords = (from: number, to: number) =>
    buildRecords(
      t.database,
      archive,
      Array.from({ length: to - from + 1 }, (_, i) => [`title ${from + i}`, from + i, null]),
    );
  const path = (rest: string) => `${archivePath(archive)}/${rest}`;
  const plan = async (csv: string) => {
    const form = formOf([['files[0]', { name: 'rows.csv', bytes: csv }]]);
    return bulkEditOf(await clerk.post(path('imports'), form.body, { headers: form.headers }));
  };
  const at = ({ bulkEditId }: AnsweredBulkEdit) => path(`bulkedits/${bulkEditId}`);
  const apply = async (job: AnsweredBulkEdit) => {
    expect(await clerk.post(`${at(job)}/apply`, {})).toMatchObject({ status: 200 });
    return ended(clerk, at(job));
  };
  const stored = async (id: number) => {
    const { body } = await clerk.get(path(`documents/${id}`));
    const [revision] = revisionDetailAnswer.parse(body).archivedocumentrevisions;
    return [
      ...(revision?.indexFields.map(({ value }) => value) ?? []),
      ...(revision?.keywordFields.map(({ value }) => value) ?? []),
    ];
  };

  it('have their cells, and apply once they are corrected and sent again', async () => {
    const job = await plan(
      [
        'Revision id,Title,Amount,keyword.SUBJECT,Remark',
        '1,,1.5,paper,mine',
        '2,two,lots,ink,',
        '3,three,7,,',
        '999,nobody,1,,',
      ].join('\r\n'),
    );
    expect(job.counts).toMatchObject({ total: 4, changed: 1, invalid: 2, missing: 1 });
    const [first, second] = await revisionsOf(clerk, at(job), 'invalid');
    expect(first).toEqual({
      revisionId: '1',
      outcome: 'invalid',
      changes: [
        { name: 'AMOUNT', before: 1, after: 1.5 },
        { name: 'keyword.SUBJECT', before: [], after: ['paper'] },
      ],
      message: expect.stringMatching(/^Row 2: Title/),
      cells: [
        { header: 'Revision id', text: '1' },
        { header: 'Title', text: '', message: 'A value is required.' },
        { header: 'Amount', text: '1.5' },
        { header: 'keyword.SUBJECT', text: 'paper' },
        { header: 'Remark', text: 'mine' },
      ],
    });
    expect(second).toMatchObject({
      revisionId: '2',
      message: expect.stringMatching(/^Row 3: Amount “lots”/),
    });
    expect(await revisionsOf(clerk, at(job), 'missing')).toMatchObject([
      { revisionId: '999', message: 'There is no revision 999.', cells: { length: 5 } },
    ]);
    const [changed] = await revisionsOf(clerk, at(job), 'changed');
    expect(changed).not.toHaveProperty('cells');
    expect(await apply(job)).toMatchObject({ state: 'done', counts: { done: 1 } });

    const { text } = await clerk.get(`${at(job)}/refused`);
    const lines = text.split('\r\n');
    expect(lines).toEqual([
      '\ufeffRevision id,Title,Amount,keyword.SUBJECT,Remark,Row,Reason',
      expect.stringMatching(/^1,,1\.5,paper,mine,2,"?Row 2: /),
      expect.stringMatching(/^2,two,lots,ink,,3,"?Row 3: /),
      '999,nobody,1,,,5,There is no revision 999.',
      '',
    ]);
    const corrected = text.replace('1,,1.5', '1,one,1.5').replace('lots', '2.5');
    const again = await plan(corrected);
    expect(again.counts).toMatchObject({ total: 3, changed: 2, missing: 1 });
    expect(await apply(again)).toMatchObject({ state: 'done', counts: { done: 2 } });
    expect(await stored(1)).toEqual(['one', 1.5, null, 'paper']);
    expect(await stored(2)).toEqual(['two', 2.5, null, 'ink']);
    expect(await stored(3)).toEqual(['three', 7, null]);
  });

  it('have the messages of all checks that they fail', async () => {
    const rows = ['Revision id,Title,Amount', '1,unknown,-20', '2,two,5'];
    archive = await buildArchive(
      t.database,
      [
        { name: 'TITLE', label: 'Title' },
        { name: 'AMOUNT', label: 'Amount', type: 'decimal' },
      ],
      [],
      {
        checks: [
          { name: 'NEGATIVE', label: 'Negative amount', rule: 'AMOUNT >= 0', severity: 'block' },
          { name: 'SMALL', label: 'Too small', rule: 'AMOUNT >= -10', severity: 'block' },
          { name: 'KNOWN', label: 'Not known', rule: "TITLE <> 'unknown'", severity: 'block' },
        ],
      },
    );
    await buildRecords(t.database, archive, [
      ['one', 1],
      ['two', 2],
    ]);
    const job = await plan(rows.join('\n'));
    expect(await revisionsOf(clerk, at(job), 'invalid')).toMatchObject([
      {
        revisionId: '1',
        message: 'AMOUNT: Negative amount. AMOUNT: Too small. TITLE: Not known.',
        cells: [
          {},
          { header: 'Title', message: 'Not known.' },
          { header: 'Amount', message: 'Negative amount. Too small.' },
        ],
      },
    ]);
  });

  it('are the first ones where several rows name a revision', { tags: ['long'] }, async () => {
    await addRecords(FEW + 1, MANY);
    const rows = Array.from({ length: MANY }, (_, i) => `${i + 1},changed ${i + 1},2000,`);
    rows[4] = '5,five,2000,';
    rows.splice(5, 0, '5,five again,2000,');
    const repeated = ['2,two again,3,', '2,two once more,3,', '7,seven again,3,', '999,a,1,'];
    rows[7] = '7,seven with too long a title,2000,';
    const job = await plan(
      ['Revision id,Title,Amount,City', ...rows, '999,b,1,', ...repeated].join('\n'),
    );
    expect(job).toMatchObject({
      counts: { total: MANY + 1, changed: MANY - 3, invalid: 3, missing: 1, pending: MANY - 3 },
      // Only those of rows that are changed.
      findings: [{ check: 'LARGE', brings: MANY - 3, removes: 0 }],
    });
    const line = MANY + 4;
    const invalid = await revisionsOf(clerk, at(job), 'invalid');
    expect(invalid.map(({ revisionId, message, cells }) => [revisionId, message, cells])).toEqual([
      [
        '2',
        `Row 3: The revision occurs in the file twice, again in row ${line}.`,
        [
          { header: 'Revision id', text: '2' },
          { header: 'Title', text: 'changed 2' },
          { header: 'Amount', text: '2000' },
          { header: 'City', text: '' },
        ],
      ],
      [
        '5',
        'Row 6: The revision occurs in the file twice, again in row 7.',
        expect.arrayContaining([{ header: 'Title', text: 'five' }]),
      ],
      [
        '7',
        expect.stringMatching(
          `^Row 9: Title .*\\. The revision occurs in the file twice, again in row ${line + 2}\\.$`,
        ),
        expect.arrayContaining([
          {
            header: 'Title',
            text: 'seven with too long a title',
            message: 'The value may have at most 20 characters.',
          },
        ]),
      ],
    ]);
    expect(await revisionsOf(clerk, at(job), 'missing')).toMatchObject([
      { revisionId: '999', cells: [{}, { text: 'b' }, {}, {}] },
    ]);
    // In the order of the file.
    const all = await revisionsOf(clerk, at(job));
    expect(all.map(({ revisionId }) => revisionId)).toEqual([
      ...Array.from({ length: MANY }, (_, i) => String(i + 1)),
      '999',
    ]);
    await apply(job);
    expect(await stored(2)).toEqual(['title 2', 2, null]);
    expect(await stored(3)).toEqual(['changed 3', 2000, null]);
  });

  it(
    'are not listed where other rows have no id, as the whole file is refused',
    { tags: ['long'] },
    async () => {
      await addRecords(FEW + 1, MANY);
      const rows = Array.from({ length: MANY }, (_, i) => `${i + 1},changed,`);
      const csv = ['Revision id,Title,Amount', ...rows, ',none,', '0,zero,', 'x,no id,'].join('\n');
      const form = formOf([['files[0]', { name: 'rows.csv', bytes: csv }]]);
      const answer = await clerk.post(path('imports'), form.body, { headers: form.headers });
      expect(answer.status).toBe(422);
      expect(Object(answer.body).errors['files.0']).toEqual(
        [2, 3, 4].map((n) => expect.stringContaining(`Row ${MANY + n}`)),
      );
      expect((await clerk.get(path('bulkedits'))).body).toMatchObject({ bulkedits: [] });
    },
  );

  it(
    'have no cells if one is too long to be sent again as a whole',
    { tags: ['long'] },
    async () => {
      const [longest, longer] = [10_000, 10_001].map((length) => 'x'.repeat(length));
      const job = await plan(
        `Revision id,Title,Remark\n1,,${longest}\n2,,${longer}\n999,a,${longer}\n3,a,${longer}\n`,
      );
      expect(job.counts).toMatchObject({ changed: 1, invalid: 2, missing: 1 });
      const [first, second] = await revisionsOf(clerk, at(job), 'invalid');
      expect(first?.cells).toContainEqual({ header: 'Remark', text: longest });
      expect(second).toMatchObject({
        revisionId: '2',
        message: expect.stringMatching(/^Row 3: Title/),
      });
      expect(second).not.toHaveProperty('cells');
      const [missing] = await revisionsOf(clerk, at(job), 'missing');
      expect(missing).not.toHaveProperty('cells');
      const { text } = await clerk.get(`${at(job)}/refused`);
      expect(text.split('\r\n')).toEqual([
        '\ufeffRevision id,Title,Remark,Row,Reason',
        expect.stringContaining(`1,,${longest},2,`),
        expect.stringMatching(/^,,,3,"?Row 3: Title/),
        ',,,4,There is no revision 999.',
        '',
      ]);
      // The rows without cells do nothing when the file is sent again.
      const again = await plan(text.replace('1,,', '1,one,'));
      expect(again.counts).toMatchObject({ total: 1, changed: 1 });
      const none = await plan(`Revision id,Title,Remark\n2,,${longer}\n`);
      expect((await clerk.get(`${at(none)}/refused`)).text).toMatch(
        /^\ufeffRow,Reason\r\n2,"?Row 2: /,
      );
    },
  );

  it('keep their cells where they are planned again', { tags: ['long'] }, async () => {
    const job = await plan('Revision id,Title,Amount\n1,one,-2\n2,two,4\n');
    expect(await apply(job)).toMatchObject({ counts: { done: 1 } });
    const again = bulkEditOf(await clerk.post(`${at(job)}/again`));
    expect(again).toMatchObject({ fileName: 'rows.csv', counts: { total: 1, invalid: 1 } });
    expect(await revisionsOf(clerk, at(again))).toMatchObject([
      {
        revisionId: '1',
        message: expect.stringMatching(/^AMOUNT: .*Negative amount/),
        cells: [
          { text: '1' },
          { text: 'one' },
          { text: '-2', message: expect.stringContaining('Negative amount') },
        ],
      },
    ]);
  });

  it('do not include those of locked and changed revisions, nor corrected ones', async () => {
    await buildUser(t.database, {
      username: `other-${archive.name}`,
      rights: [rightOn(archive, 'write')],
    });
    const other = await t.signedIn(`other-${archive.name}`);
    expect((await other.patch(path('documents/1'), { locked: true })).status).toBe(200);
    const replacements = { replacements: [{ from: 'Bärn', to: 'Bern' }], remember: true };
    await clerk.patch(path('documents/3/indexdata'), {
      indexFields: [{ name: 'CITY', value: 'Bärn' }],
    });
    await apply(bulkEditOf(await clerk.post(path('indices/CITY/replacements'), replacements)));
    await buildUser(t.database, {
      username: `writer-${archive.name}`,
      rights: [rightOn(archive, 'write')],
    });
    const writer = await t.signedIn(`writer-${archive.name}`);
    const csv = 'Revision id,Version,City\n1,2,Chur\n2,9,Chur\n3,,Bärn\n4,1,Bärn\n';
    const form = formOf([['files[0]', { name: 'rows.csv', bytes: csv }]]);
    const job = bulkEditOf(
      await writer.post(path('imports'), form.body, { headers: form.headers }),
    );
    const rows = await revisionsOf(writer, at(job));
    expect(rows.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['locked', expect.stringContaining('The revision has been locked by other')],
      ['conflict', expect.stringContaining('builder')],
      ['unchanged', null],
      ['changed', 'City: “Bärn” was corrected to “Bern”.'],
    ]);
    expect(rows.filter(({ cells }) => cells !== undefined)).toEqual([]);
    expect((await writer.get(`${at(job)}/refused`)).text).toBe('\ufeffRow,Reason\r\n');
  });
});
