/** @module-tag slow */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeXlsx } from 'hucre/xlsx';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { importInspectionAnswer } from '#shared/contract/imports.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import { bulkEditOf, revisionsOf } from '#tests/support/bulk-edits.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';
import { buildWorkbook } from '#tests/support/workbooks.ts';
import { cpuTime } from '#tests/support/cpu-time.ts';
import { IS_LONG_RUN, sampled } from '#tests/support/effort.ts';

const HOSTILE_TEXTS = [
  '=1+1',
  "'=1+1",
  '@SUM(A1)',
  '-2+3',
  '\t=1',
  '＝1',
  '_x0041_',
  'a_x000D_b',
  '\u0001\u001f',
  '<b>&amp;</b>',
  ' both ends ',
  '"quoted"; and, more',
  'a\r\nb\nc\rd',
  '#REF!',
  '1e5',
  '00123',
  '🚀\uffff',
  'TRUE',
  'a;=1+1',
  'a\t@SUM(A1)',
  'a|+1',
  'a,-1',
  'a\r\n=1',
  'a;\t=1',
  'a;"=1;b"',
  "a;'=1",
];

/** Fewer show the same where no limit has to be reached. */
const SHARE = IS_LONG_RUN ? 1 : 10;

describeOnOneDatabase('Hostile spreadsheets', (open) => {
  let t: TestApp;
  let archive: Archive;
  let table: Table;
  let clerk: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [{ name: 'TITLE' }, { name: 'DAY', type: 'date' }]);
    table = await buildTable(t.database, [{ name: 'title', unique: true }]);
    await buildRecords(
      t.database,
      archive,
      HOSTILE_TEXTS.map((text) => [text, null]),
    );
    await buildUser(t.database, {
      rights: [rightOn(archive, 'write'), rightOn(table, 'write')],
    });
    clerk = await t.signedIn('clerk');
  });
  const send = (bytes: string | Buffer, path: string) => {
    const form = formOf([['files[0]', { name: 'any', bytes }]]);
    return clerk.post(path, form.body, { headers: form.headers });
  };
  const plan = async (bytes: string | Buffer) => {
    const path = archivePath(archive);
    const planned = bulkEditOf(await send(bytes, `${path}/imports`));
    const at = `${path}/bulkedits/${planned.bulkEditId}`;
    return { ...planned, rows: await revisionsOf(clerk, at) };
  };

  it.each(sampled(1, ['csv', 'xlsx', 'csv&separator=semicolon']))(
    'hold texts that come back as they were, and run nothing: %s',
    async (format) => {
      const file = await clerk.get(`${archivePath(archive)}/index/export?format=${format}`);
      expect(file.status).toBe(200);
      // Whatever a reader takes for the separator, no cell begins with a formula.
      if (format !== 'xlsx') expect(file.text).not.toMatch(/[,;|\t\r\n]["]*[=@＝+-]/);
      const { counts, rows } = await plan(Buffer.from(file.bytes));
      expect(rows.filter(({ outcome }) => outcome !== 'unchanged')).toEqual([]);
      expect(counts).toMatchObject({ total: HOSTILE_TEXTS.length, changed: 0 });
    },
  );

  it('with formulas as texts of cells are taken as texts', async () => {
    const { rows } = await plan(`Revision id,TITLE\n1,"'=cmd|' /C calc'!A0"\n2,=1+2\n`);
    expect(rows.map(({ changes }) => changes[0]?.after)).toEqual(["=cmd|' /C calc'!A0", '=1+2']);
  });

  it(
    'that name one revision in all lines are planned at once, with one sentence',
    { tags: ['long'] },
    async () => {
      const lines = Array.from({ length: 50_000 / SHARE }, () => '1,x').join('\n');
      const started = cpuTime();
      const { counts, rows } = await plan(`Revision id,TITLE\n${lines}\n`);
      expect(cpuTime() - started).toBeLessThan(15_000);
      expect(counts).toMatchObject({ total: 1, invalid: 1 });
      expect(rows[0]?.message?.match(/twice/g)).toHaveLength(1);
    },
  );

  it('are told of by the line that a spreadsheet program shows', async () => {
    const rows = [['Revision id', 'TITLE'], [1, 'a'], [], [1, 'b']];
    const book = Buffer.from(await writeXlsx({ sheets: [{ name: 'A', rows }] }));
    expect((await plan(book)).rows[0]?.message).toContain('row 4');
  });

  it.each(sampled(1, ['-7', 'x', '0', '1e300', '2.5', '4294967297']))(
    'whose row says that it is row %s are read all the same',
    async (number) => {
      const rows =
        '<row r="1"><c t="inlineStr"><is><t>title</t></is></c></row>' +
        `<row r="${number}"><c t="inlineStr"><is><t>new</t></is></c></row>`;
      const path = datasetsPath(table).replace(/\/datasets$/, '');
      const planned = bulkEditOf(await send(await buildWorkbook({ rows }), `${path}/imports`));
      const answer = await clerk.get(`${path}/bulkedits/${planned.bulkEditId}/datasets`);
      expect(answer.body).toMatchObject({ datasets: [{ jrid: null, line: 2, outcome: 'new' }] });
    },
  );

  it.each(sampled(1, ['XFE1', 'ZZZZZZZ1', 'ALN1']))(
    'with a cell in %s are refused',
    async (cell) => {
      const rows = `<row r="1"><c r="${cell}"><v>1</v></c></row>`;
      const answer = await send(await buildWorkbook({ rows }), `${archivePath(archive)}/imports`);
      expect(answer.status).toBe(422);
      expect(errorBodySchema.parse(answer.body).errors).toHaveProperty(['files.0']);
    },
  );

  it('with entities of XML are read without what the entities name', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'indexdesk-entity-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'file'), 'content-of-the-file');
    const entities = Array.from(
      { length: 9 },
      (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`,
    );
    const wholeSheet =
      `<!DOCTYPE worksheet [<!ENTITY file SYSTEM "file://${folder}/file"><!ENTITY e0 "bomb">${entities.join('')}]>` +
      '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>' +
      '<row r="1"><c t="inlineStr"><is><t>TITLE</t></is></c></row>' +
      '<row r="2"><c t="inlineStr"><is><t>&file;&e9;</t></is></c></row></sheetData></worksheet>';
    const book = await buildWorkbook({ wholeSheet });
    const answer = await send(book, `${archivePath(archive)}/imports/inspections`);
    expect([200, 422]).toContain(answer.status);
    expect(answer.text).not.toContain('content-of-the-file');
    expect(answer.text).not.toContain('bombbomb');
    expect(answer.text.length).toBeLessThan(10_000);
  });

  it.each([
    ['rows', '<row/>'.repeat(1_100_000)],
    // Blanks between them, so that few rows at a time are in memory.
    ['cells', `<row><c r="XFD1"/></row>${' '.repeat(1_000)}`.repeat(1_300)],
  ])(
    'of nothing but empty %s are refused before they are read to the end',
    { tags: ['long'] },
    async (what, many) => {
      const rows = `<row><c t="inlineStr"><is><t>TITLE</t></is></c></row>${many}`;
      const answer = await send(await buildWorkbook({ rows }), `${archivePath(archive)}/imports`);
      expect(answer.status).toBe(422);
      const { errors } = errorBodySchema.parse(answer.body);
      expect(errors['files.0']?.[0]).toMatch(
        new RegExp(`more than [\\d,]+ ${what}, empty ones included`),
      );
    },
  );

  const large = sampled(1, [
    ['text', `<row><c t="inlineStr"><is><t>${'a'.repeat(20_000_000)}</t></is></c></row>`],
    ['tag', `<row ${'a'.repeat(20_000_000)}="1"/>`],
  ]);
  it.each(large)(
    'with one %s that unpacks to all memory are refused before it is read',
    async (_, row) => {
      const rows = `<row><c t="inlineStr"><is><t>TITLE</t></is></c></row>${row}`;
      const answer = await send(await buildWorkbook({ rows }), `${archivePath(archive)}/imports`);
      expect(answer.status).toBe(422);
      expect(answer.text).toContain('The file is damaged, or too large to be read.');
    },
  );

  it('with very many empty cells in a line are refused before the line ends', async () => {
    const bytes = `Revision id,TITLE\n1${','.repeat(3_000_000 / SHARE)}`;
    const answer = await send(bytes, `${archivePath(archive)}/imports`);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('spreadsheets.tooManyColumns');
  });

  const strange = sampled(1, [
    ['without an end of a line', 'a'.repeat(30_000_000 / SHARE)],
    ['with NUL behind its beginning', `Revision id,DAY\n${'1,\n'.repeat(40_000 / SHARE)}1,\u0000`],
    ['of quotation marks', '"'.repeat(3_000_000 / SHARE + 1)],
    ['of separators', `Revision id${','.repeat(2_000_000 / SHARE)}\n`],
  ]);
  it.each(strange)('%s are answered as the interface says', async (_, bytes) => {
    const answer = await send(bytes, `${archivePath(archive)}/imports`);
    expect([201, 422]).toContain(answer.status);
    if (answer.status === 422) errorBodySchema.parse(answer.body);
    expect(answer.text.length).toBeLessThan(10_000);
  });

  it('with long headers are inspected with short ones', async () => {
    const bytes = `Revision id,${'ö'.repeat(3_000_000 / SHARE)}\n1,2\n`;
    const answer = await send(bytes, `${archivePath(archive)}/imports/inspections`);
    const [found] = importInspectionAnswer.parse(answer.body).imports;
    expect(found?.columns[1]?.header).toHaveLength(501);
  });

  it('that come many at once are all answered', { tags: ['long'] }, async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        send(i % 2 === 0 ? 'Revision id,TITLE\n1,x\n' : '"', `${archivePath(archive)}/imports`),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      answers.map((_, i) => (i % 2 === 0 ? 201 : 422)),
    );
  });
});
