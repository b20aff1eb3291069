/** @module-tag slow */
import fc from 'fast-check';
import { writeXlsx } from 'hucre/xlsx';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Table } from '#server/database/records/collection.ts';
import { datasetListAnswer, historyAnswer } from '#shared/contract/answers.ts';
import {
  type AnsweredBulkEdit,
  type BulkEditDataset,
  bulkEditDatasetsAnswer,
} from '#shared/contract/bulk-edit-answers.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import {
  buildUser,
  openApp,
  type TestAnswer,
  type TestApp,
  type TestClient,
} from '#tests/support/app.ts';
import { bulkEditOf, ended } from '#tests/support/bulk-edits.ts';
import { buildRecords, buildTable, datasetsPath, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';
import { repeated, sampled } from '#tests/support/effort.ts';

const SEED = 20_260_101;

/** More than a job changes at first in one step, which is 50 on PostgreSQL. */
const SLICES = 60;
/** Of the other cells of a row. */
const NO_MESSAGES = [undefined, undefined, undefined];
/** Many times what a part of a job takes that others wait for. */
const MANY = 1_200;

describeOnOneDatabase('importing datasets', (open) => {
  let t: TestApp;
  let table: Table;
  let clerk: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    await buildUser(t.database, { role: 'administrator' });
    clerk = await t.signedIn('clerk');
  });
  beforeEach(async () => {
    table = await buildTable(t.database, [
      { name: 'sno', label: 'Number', unique: true },
      { name: 'name', required: true },
      { name: 'total', type: 'decimal' },
      { name: 'country', default: 'DE' },
    ]);
    await buildRecords(t.database, table, [
      ['S-1', 'one', 1.5, 'CH'],
      ['S-2', 'two', null, 'DE'],
      [null, 'none', 3, null],
    ]);
  });
  const path = (rest: string) => `application/dataapp/tables/${table.guid}/${rest}`;
  const plan = (csv: string | Uint8Array, fields: Record<string, string> = {}, client = clerk) => {
    const parts = Object.entries(fields);
    const file = { name: 'datasets.csv', bytes: Buffer.from(csv) };
    const form = formOf([...parts, ['files[0]', file]]);
    return client.post(path('imports'), form.body, { headers: form.headers });
  };
  const at = ({ bulkEditId }: AnsweredBulkEdit) => path(`bulkedits/${bulkEditId}`);
  const rowsOf = async (job: AnsweredBulkEdit): Promise<BulkEditDataset[]> => {
    const { body } = await clerk.get(`${at(job)}/datasets?limit=1000`);
    return bulkEditDatasetsAnswer.parse(body).datasets;
  };
  const run = async (job: AnsweredBulkEdit, verb: 'apply' | 'undo', body?: unknown) => {
    expect(await clerk.post(`${at(job)}/${verb}`, body)).toMatchObject({ status: 200 });
    return ended(clerk, at(job));
  };
  const stored = async () => {
    const { body } = await clerk.get(`${datasetsPath(table)}?limit=1000&sort=jrid`);
    return datasetListAnswer
      .parse(body)
      .datasets.map(({ jrid, ...values }) => [jrid, ...table.fields.map((f) => values[f.name])]);
  };

  it('finds nothing to do in what was exported', async () => {
    for (const format of sampled(1, ['xlsx', 'csv'])) {
      const { bytes } = await clerk.get(`${datasetsPath(table)}/export?format=${format}`);
      const { kind, fileName, counts } = bulkEditOf(await plan(bytes));
      expect([kind, fileName]).toEqual(['import', 'datasets.csv']);
      expect(counts).toMatchObject({ total: 3, unchanged: 3, changed: 0, created: 0, pending: 0 });
    }
  });

  it(
    'reads refused rows whose lines and messages of cells an older version has not stored',
    { tags: ['long'] },
    async () => {
      const job = bulkEditOf(await plan('jrid,name,total\n1,,5\n,,5\n'));
      expect(job.counts).toMatchObject({ invalid: 2 });
      await t.database.write((db) =>
        sql`update bulk_edit_revisions
        set changes = replace(replace(replace(changes, '"line":2,', ''), '"line":3,', ''),
          ',"message":"A value is required."', '')
        where bulk_edit_id = ${Number(job.bulkEditId)}`.execute(db.k),
      );
      const [first] = await rowsOf(job);
      expect(first?.cells).toEqual([
        { header: 'jrid', text: '1' },
        { header: 'name', text: '' },
        { header: 'total', text: '5' },
      ]);
      const { text } = await clerk.get(`${at(job)}/refused`);
      expect(text.split('\r\n').slice(1, 3)).toEqual([
        expect.stringMatching(/^1,,5,,Row 2/),
        expect.stringMatching(/^,,5,3,Row 3/),
      ]);
    },
  );

  it(
    'leaves out the cells of a refused row with one that is too long',
    { tags: ['long'] },
    async () => {
      const longer = 'x'.repeat(10_001);
      const job = bulkEditOf(await plan(`jrid,name,total,note\n1,,5,${longer}\n2,,6,short\n`));
      const [first, second] = await rowsOf(job);
      expect(first).toMatchObject({ jrid: '1', outcome: 'invalid' });
      expect(first).not.toHaveProperty('cells');
      expect(second).toMatchObject({ cells: { length: 4 } });
      const { text } = await clerk.get(`${at(job)}/refused`);
      expect(text.split('\r\n')).toEqual([
        '\ufeffjrid,name,total,note,Row,Reason',
        expect.stringMatching(/^,,,,2,"?Row 2: /),
        expect.stringMatching(/^2,,6,short,3,"?Row 3: /),
        '',
      ]);
    },
  );

  it(
    'changes no column called as what is added to refused rows, when they are sent again',
    { tags: ['long'] },
    async () => {
      table = await buildTable(t.database, [
        { name: 'name', required: true },
        { name: 'row' },
        { name: 'why', label: 'Reason' },
      ]);
      await buildRecords(t.database, table, [['one', 'A', 'mine']]);
      const job = bulkEditOf(await plan('jrid,name\n1,\n'));
      const { text } = await clerk.get(`${at(job)}/refused`);
      expect(text).toMatch(/^\ufeffjrid,name,\(Row\),\(Reason\)\r\n/);
      const again = bulkEditOf(await plan(text.replace('\r\n1,,', '\r\n1,uno,')));
      expect(await rowsOf(again)).toMatchObject([
        { changes: [{ name: 'name', before: 'one', after: 'uno' }] },
      ]);
    },
  );

  it(
    'reads numbers that a format shows with leading zeros as they are shown',
    { tags: ['long'] },
    async () => {
      const columns = [{ numFmt: '00000' }, { numFmt: '@' }, { numFmt: '000' }, { numFmt: '0' }];
      const rows = [
        ['Number', 'name', 'total', 'country'],
        [1067, 'Dresden', 7, 49],
        [123456, 'longer', -7, 1],
        [-12, 'below', 1.5, null],
        ['00099', 'text', null, null],
      ];
      const bytes = await writeXlsx({ sheets: [{ name: 'Any', columns, rows }] });
      const planned = await rowsOf(bulkEditOf(await plan(bytes)));
      const after = planned.map(({ changes }) =>
        Object.fromEntries(changes.map(({ name, after }) => [name, after])),
      );
      expect(after).toMatchObject([
        { sno: '01067', name: 'Dresden', total: 7, country: '49' },
        { sno: '123456', name: 'longer', total: -7, country: '1' },
        { sno: '-00012', name: 'below', total: 1.5 },
        { sno: '00099', name: 'text' },
      ]);
    },
  );

  it('refuses rows of a text file with too few or too many values', async () => {
    const csv = 'sno,name,total\nS-1,one,2\nS-2,two\nS-3,three,\nS-4,four,5,,\nS-5,fi,ve,6\n';
    for (const mode of ['change', 'both']) {
      const rows = await rowsOf(bulkEditOf(await plan(csv, { mode })));
      expect(rows.filter(({ outcome }) => outcome === 'invalid')).toMatchObject([
        {
          message:
            'Row 3: The row has 2 values, the header has 3 columns. Add the missing values, which may be empty, and check the row again.',
          cells: [
            { header: 'sno', text: 'S-2' },
            { header: 'name', text: 'two' },
            {
              header: 'total',
              text: '',
              message:
                'The row has no value here. Enter one, or check the row again to leave it empty.',
            },
          ],
        },
        {
          message:
            'Row 6: The row has 4 values, the header has 3 columns. Put values that contain the separator in double quotes.',
        },
      ]);
      expect(rows.at(-1)).not.toHaveProperty('cells');
      expect(rows).toHaveLength(5);
    }
  });

  it('takes the missing values of a row as empty once it is sent again', async () => {
    const job = bulkEditOf(await plan('sno,name,total\nS-1,uno,2\nS-2,two\n'));
    expect(job.counts).toMatchObject({ changed: 1, invalid: 1 });
    const { text } = await clerk.get(`${at(job)}/refused`);
    expect(bulkEditOf(await plan(text)).counts).toMatchObject({ total: 1, unchanged: 1 });
  });

  it('says at each cell what is wrong with it', async () => {
    const csv = 'sno,name,total,note\nS-1,,x,\nS-9,a,1,\nS-9,b,2,\n,,x,n\n';
    const rows = await rowsOf(bulkEditOf(await plan(csv, { mode: 'create' })));
    const refused = rows.filter(({ outcome }) => outcome === 'invalid');
    const number = 'The value must be a number: digits, with a point before decimal places.';
    expect(refused.map(({ cells }) => cells?.map(({ message }) => message))).toEqual([
      ['Row 2: record 1 already exists, and this import only creates records.', ...NO_MESSAGES],
      ['Row 3 of the file already has this value; it must be unique.', ...NO_MESSAGES],
      [undefined, 'A value is required.', number, undefined],
    ]);
    expect(refused.at(-1)?.message).toBe(`Row 5: total “x”: ${number} name: A value is required.`);
    const changes = await rowsOf(
      bulkEditOf(await plan('sno,name\nS-1,\nS-7,new\n', { mode: 'change' })),
    );
    expect(changes.map(({ cells }) => cells?.map(({ message }) => message))).toEqual([
      [undefined, 'A value is required.'],
      ['Row 3: There is no record whose Number is “S-7”.', undefined],
    ]);
  });

  it('names rows by their numbers in an earlier file', async () => {
    const columns = [{ as: 'line' }, ...['sno', 'name'].map((field) => ({ as: 'field', field }))];
    const csv = ';sno;name\n7;S-7;\n9;S-8;eight\n9;S-9;\n';
    const fields = { mode: 'create', columns: JSON.stringify(columns) };
    const rows = await rowsOf(bulkEditOf(await plan(csv, fields)));
    expect(rows.map(({ line, cells }) => [line, cells?.map(({ text }) => text)])).toEqual([
      [7, ['S-7', '']],
      [9, undefined],
      [10, ['S-9', '']],
    ]);
    expect(rows[0]?.message).toMatch(/^Row 7: /);
  });

  it('takes cells that a workbook leaves out at the end of a row as empty', async () => {
    const rows = [
      ['sno', 'name', 'total'],
      ['S-1', 'one'],
    ];
    const bytes = await writeXlsx({ sheets: [{ name: 'Any', rows }] });
    expect(await rowsOf(bulkEditOf(await plan(bytes)))).toMatchObject([
      { outcome: 'changed', changes: [{ name: 'total', before: 1.5, after: null }] },
    ]);
  });

  const forms = sampled(1, [
    [
      ['name;total;day', 'a;1,5;31.12.2025', 'b;x;31.02.2025'],
      'digits, with a comma before decimal places. day “31.02.2025”: Enter a valid date, written as DD.MM.YYYY.',
    ],
    [
      ['name,total,day', 'a,1.5,12/31/2025', 'b,x,02/31/2025'],
      'digits, with a point before decimal places. day “02/31/2025”: Enter a valid date, written as MM/DD/YYYY.',
    ],
    [
      ['name,total,day', 'a,1.5,2025-12-31', 'b,x,2025-02-31'],
      'digits, with a point before decimal places. day “2025-02-31”: Enter a valid date, written as YYYY-MM-DD.',
    ],
  ]);
  it.each(forms)('says in the form of the file %j what would be right', async (lines, told) => {
    table = await buildTable(t.database, [
      { name: 'name', required: true },
      { name: 'total', type: 'decimal' },
      { name: 'day', type: 'date' },
    ]);
    const job = bulkEditOf(await plan(lines.join('\r\n'), { mode: 'create' }));
    expect((await rowsOf(job)).map(({ line, message }) => [line, message])).toEqual([
      [2, null],
      [3, `Row 3: total “x”: The value must be a number: ${told}`],
    ]);
  });

  it('changes, creates and takes back, by jrid', async () => {
    const before = await stored();
    const job = bulkEditOf(
      await plan(
        [
          'jrid,Version,Number,name,total',
          '1,1,S-1,uno,2.25',
          ',,S-4,four,',
          '3,1,S-3,none,3',
          '99,1,S-9,nine,9',
          '2,7,S-2,changed,',
          ',,S-5,,5',
          ',,S-3,third,',
          '1,1,S-1,again,1',
          'x,1,S-6,six,6',
          '',
        ].join('\r\n'),
      ),
    );
    expect(job.counts).toMatchObject({
      total: 9,
      changed: 2,
      created: 1,
      invalid: 4,
      missing: 1,
      conflicts: 1,
      pending: 3,
    });
    expect(await rowsOf(job)).toMatchObject([
      {
        jrid: '1',
        line: null,
        outcome: 'changed',
        changes: [
          { name: 'name', before: 'one', after: 'uno' },
          { name: 'total', before: 1.5, after: 2.25 },
        ],
      },
      {
        jrid: null,
        line: 3,
        outcome: 'new',
        changes: [
          { name: 'sno', before: null, after: 'S-4' },
          { name: 'name', before: null, after: 'four' },
          { name: 'country', before: null, after: 'DE' },
        ],
      },
      { jrid: '3', outcome: 'changed', changes: [{ name: 'sno', before: null, after: 'S-3' }] },
      { jrid: '99', outcome: 'missing', message: 'Row 5: There is no record 99.' },
      { jrid: '2', outcome: 'conflict', changes: [{ name: 'name' }] },
      { line: 7, outcome: 'invalid', message: 'Row 7: name: A value is required.' },
      {
        line: 8,
        outcome: 'invalid',
        message: expect.stringMatching(
          /^Row 8: Number “S-3”: Row 4 of the file already has this value/,
        ),
      },
      { jrid: '1', outcome: 'invalid', message: expect.stringContaining('twice') },
      { line: 10, outcome: 'invalid', message: 'Row 10: The jrid is not a whole number.' },
    ]);
    expect(await stored()).toEqual(before);
    const refused = await clerk.get(`${at(job)}/refused`);
    expect(refused.text.split('\r\n').slice(1)).toEqual([
      expect.stringMatching(/^,,S-5,,5,7,/),
      expect.stringMatching(/^,,S-3,third,,8,/),
      expect.stringMatching(/^1,1,S-1,again,1,9,/),
      expect.stringMatching(/^x,1,S-6,six,6,10,/),
      expect.stringMatching(/^99,1,S-9,nine,9,5,/),
      '',
    ]);

    const done = await run(job, 'apply', { onChanged: 'leaveOut' });
    expect(done).toMatchObject({ state: 'done', counts: { done: 3, pending: 0, conflicts: 1 } });
    const after = [
      ['1', 'S-1', 'uno', 2.25, 'CH'],
      before[1],
      ['3', 'S-3', 'none', 3, null],
      ['4', 'S-4', 'four', null, 'DE'],
    ];
    expect(await stored()).toEqual(after);
    expect((await rowsOf(job))[1]).toMatchObject({ jrid: '4', line: null, outcome: 'created' });
    const { body } = await clerk.get(`${datasetsPath(table)}/4/history`);
    expect(historyAnswer.parse(body).history).toMatchObject([
      { user: 'clerk', changes: [{ name: 'sno', after: 'S-4' }, {}, {}] },
    ]);

    // What was changed since stays.
    await clerk.put(`${datasetsPath(table)}/3`, { dataset: { sno: 'S-9' } });
    const undone = await run(job, 'undo');
    expect(undone).toMatchObject({ state: 'undone', counts: { takenBack: 2, left: 1, done: 0 } });
    expect(await stored()).toEqual([before[0], before[1], ['3', 'S-9', 'none', 3, null]]);
    const created = await clerk.post(datasetsPath(table), { dataset: { name: 'next' } });
    expect(created.body).toMatchObject({ datasets: [{ jrid: '5' }] });
  });

  it('takes back unique values that each row has taken from the row before', async () => {
    await clerk.delete(datasetsPath(table), { datasets: [{ jrid: 3 }] });
    const more = Array.from({ length: SLICES }, (_, i) => [`S-${i + 3}`, 'more', null, null]);
    await buildRecords(t.database, table, more);
    const before = await stored();
    const lines = before.map(([jrid, sno]) => `${jrid},S-${Number(String(sno).slice(2)) + 1}`);
    const job = bulkEditOf(await plan(['jrid,sno', ...lines.toReversed()].join('\n')));
    const count = before.length;
    const done = await run(job, 'apply', { onChanged: 'leaveOut' });
    expect(done).toMatchObject({ counts: { done: count, conflicts: 0 } });
    expect(await run(job, 'undo')).toMatchObject({
      state: 'undone',
      counts: { takenBack: count, left: 0 },
    });
    expect(await stored()).toEqual(before);
  });

  it('finds datasets by a unique column, and keeps to the mode', async () => {
    const csv = 'sno;name\r\nS-1;uno\r\nS-7;seven\r\n;empty\r\n';
    const outcomes = async (fields: Record<string, string>) =>
      (await rowsOf(bulkEditOf(await plan(csv, fields)))).map(({ jrid, outcome }) => [
        jrid,
        outcome,
      ]);
    for (const fields of sampled(1, [{}, { mode: 'both', key: 'SNO' }, { key: 'sno' }])) {
      expect(await outcomes(fields)).toEqual([
        ['1', 'changed'],
        [null, 'new'],
        [null, 'new'],
      ]);
    }
    expect(await outcomes({ mode: 'create' })).toEqual([
      ['1', 'invalid'],
      [null, 'new'],
      [null, 'new'],
    ]);
    expect(await outcomes({ mode: 'change' })).toEqual([
      ['1', 'changed'],
      [null, 'missing'],
      [null, 'invalid'],
    ]);
  });

  it('leaves out what others have done since the plan', async () => {
    const csv = 'sno;name;total\r\nS-1;uno;1\r\nS-7;seven;7\r\nS-8;eight;8\r\n';
    const job = bulkEditOf(await plan(csv));
    await clerk.post(datasetsPath(table), { dataset: { sno: 'S-7', name: 'faster' } });
    await clerk.put(`${datasetsPath(table)}/1`, { dataset: { country: 'AT' } });
    const refused = await clerk.post(`${at(job)}/apply`, { onChanged: 'refuse' });
    expect(refused.status).toBe(412);
    expect(refused.text).toContain('1 record was changed since the plan');
    const done = await run(job, 'apply', { onChanged: 'leaveOut' });
    expect(done).toMatchObject({ state: 'done', counts: { done: 1, conflicts: 2 } });
    const messages = (await rowsOf(job)).map(({ message }) => message);
    expect(messages[0]).toContain('The record was changed meanwhile');
    expect(messages[1]).toContain('sno: The value is already in record 4');
    expect((await stored()).map(([, sno]) => sno)).toEqual(['S-1', 'S-2', null, 'S-7', 'S-8']);
  });

  it('ends as the file says and, taken back, as it was', { tags: ['long'] }, async () => {
    const numbers = fc.constantFrom<string | null>(null, 'S-1', 'S-2', 'S-3', 'S-4', "=1'");
    const rows = fc.array(fc.tuple(numbers, fc.constantFrom('', 'a', 'b'), fc.nat(9)), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(rows, async (given) => {
        const before = await stored();
        const known = new Map(before.map((row) => [row[1] ?? null, row]));
        const seen = new Set<Scalar>();
        const expected = before.map((row) => [...row]);
        for (const [sno, name, total] of given) {
          if (sno !== null && seen.has(sno)) continue;
          const at =
            sno === null ? -1 : expected.findIndex(([jrid]) => jrid === known.get(sno)?.[0]);
          if (at >= 0) seen.add(sno);
          if (name === '') continue;
          if (sno !== null) seen.add(sno);
          if (at >= 0) expected[at]?.splice(2, 2, name, total);
          else expected.push(['new', sno, name, total, 'DE']);
        }
        const cells = given.map(([sno, name, total]) => `${sno ?? ''};${name};${total}\r\n`);
        const job = bulkEditOf(await plan(`sno;name;total\r\n${cells.join('')}`, { key: 'sno' }));
        if (job.counts.pending > 0) {
          expect(await run(job, 'apply', { onChanged: 'refuse' })).toMatchObject({ state: 'done' });
        }
        const ofNew = (row: unknown[]) =>
          known.has(String(row[1])) ? row : ['new', ...row.slice(1)];
        const after = await stored();
        expect([
          ...after.slice(0, before.length),
          ...after.slice(before.length).map(ofNew),
        ]).toEqual(expected);
        if (job.counts.pending > 0) {
          expect(await run(job, 'undo')).toMatchObject({ state: 'undone', counts: { left: 0 } });
        }
        expect(await stored()).toEqual(before);
      }),
      { numRuns: repeated(5), seed: SEED },
    );
  });

  it(
    'creates very many in parts, which can be paused and taken back',
    { tags: ['long'] },
    async () => {
      const lines = Array.from({ length: MANY }, (_, i) => `N-${i},name ${i}\r\n`);
      const job = bulkEditOf(await plan(`sno,name\r\n${lines.join('')}`, { mode: 'create' }));
      expect(job.counts).toMatchObject({ total: MANY, created: MANY, invalid: 0 });
      await clerk.post(`${at(job)}/apply`, { onChanged: 'leaveOut' });
      const paused = await clerk.post(`${at(job)}/pause`);
      if (paused.status === 200) await clerk.post(`${at(job)}/resume`);
      expect(await ended(clerk, at(job))).toMatchObject({ state: 'done', counts: { done: MANY } });
      const count = async () => (await clerk.get(`${datasetsPath(table)}/count`)).body;
      expect(await count()).toEqual({ count: MANY + 3 });
      expect(await run(job, 'undo')).toMatchObject({ counts: { takenBack: MANY, left: 0 } });
      expect(await count()).toEqual({ count: 3 });
    },
  );

  it('needs the right to write, each time', async () => {
    const [writer, reader] = [`w-${table.guid}`, `r-${table.guid}`];
    await buildUser(t.database, { username: writer, rights: [rightOn(table, 'write')] });
    await buildUser(t.database, { username: reader, rights: [rightOn(table, 'read')] });
    const csv = 'sno,name\r\nS-1,uno\r\nS-9,nine\r\n';
    expect((await plan(csv, {}, await t.signedIn(reader))).status).toBe(403);
    const client = await t.signedIn(writer);
    const job = bulkEditOf(await plan(csv, {}, client));
    expect((await client.post(`${at(job)}/apply`, {})).status).toBe(200);
    expect(await ended(client, at(job))).toMatchObject({ state: 'done', counts: { done: 2 } });
    await t.database.write((db) =>
      db.k
        .updateTable('user_rights')
        .set({ access: 'read' })
        .where('kind', '=', 'table')
        .where('thing_id', '=', table.id)
        .execute(),
    );
    expect((await client.post(`${at(job)}/undo`)).status).toBe(403);
    expect((await client.get(at(job))).status).toBe(200);
  });

  it('names what it cannot do', async () => {
    const errorsOf = ({ status, body }: TestAnswer) => ({ status, body });
    const refused = (errors: unknown) => ({ status: 422, body: { errors } });
    const csv = 'name\r\nx\r\n';
    expect(errorsOf(await plan(csv))).toMatchObject(refused({ key: [expect.any(String)] }));
    const keys = sampled(1, [
      ['name', 'The column name is not unique, so records cannot be matched by it.'],
      ['jrid', 'No column of the file is assigned to the jrid.'],
      ['sno', 'No column of the file is assigned to sno.'],
    ] as const);
    for (const [key, told] of keys) {
      expect(errorsOf(await plan(csv, { key }))).toMatchObject(refused({ key: [told] }));
    }
    expect(errorsOf(await plan(csv, { mode: 'replace', what: '1' }))).toMatchObject(
      refused({
        mode: ['The mode must be one of: create, change, both.'],
        '-': ['There is no form field what.'],
      }),
    );
    expect(bulkEditOf(await plan(csv, { mode: 'create' })).counts).toMatchObject({ created: 1 });
    await buildUser(t.database, { username: table.guid, role: 'reader' });
    const stranger = await t.signedIn(table.guid);
    expect((await stranger.get(path('bulkedits'))).status).toBe(404);
  });
});
