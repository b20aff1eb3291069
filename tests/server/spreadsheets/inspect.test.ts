/** @module-tag slow */
import { deflateRawSync } from 'node:zlib';
import { type CellValue, writeXlsx } from 'hucre/xlsx';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { importInspectionAnswer } from '#shared/contract/imports.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { sampled } from '#tests/support/effort.ts';
import { buildWorkbook } from '#tests/support/workbooks.ts';
import { formOf } from '#tests/support/forms.ts';

describeOnOneDatabase('looking through a spreadsheet', (open) => {
  let t: TestApp;
  let archive: Archive;
  let clerk: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [
      { name: 'TITLE', label: 'Title' },
      { name: 'AMOUNT', label: 'Amount', type: 'decimal' },
      { name: 'DAY', type: 'date' },
    ]);
    await buildUser(t.database, { rights: [rightOn(archive, 'write')] });
    await buildUser(t.database, { username: 'reading', rights: [rightOn(archive, 'read')] });
    clerk = await t.signedIn('clerk');
  });
  const send = (bytes: string | Buffer, columns?: unknown, by = clerk) => {
    const form = formOf([
      ['files[0]', { name: 'corrected.any', bytes }],
      ...(columns === undefined ? [] : [['columns', JSON.stringify(columns)] as const]),
    ]);
    const path = `${archivePath(archive)}/imports/inspections`;
    return by.post(path, form.body, { headers: form.headers });
  };
  const inspect = async (bytes: string | Buffer, columns?: unknown) => {
    const answer = await send(bytes, columns);
    expect(answer).toMatchObject({ status: 200 });
    const [found] = importInspectionAnswer.parse(answer.body).imports;
    return found;
  };
  const refusal = async (bytes: string | Buffer, columns?: unknown) => {
    const answer = await send(bytes, columns);
    expect(answer.status).toBe(422);
    return errorBodySchema.parse(answer.body).errors;
  };
  const xlsx = async (rows: CellValue[][]) =>
    Buffer.from(await writeXlsx({ sheets: [{ name: 'Any', rows }] }));

  it('reads cells of every kind as a spreadsheet program shows them', async () => {
    const formats = ['dd.mm.yyyy', '[h]:mm', '[Red]0.00', '00000', '"Std" General', 'mmm yy'];
    const styles =
      `<numFmts>${formats.map((format, i) => `<numFmt numFmtId="${i + 170}" formatCode="${format.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts>` +
      `<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/>${formats.map((_, i) => `<xf numFmtId="${i + 170}"/>`).join('')}</cellXfs>`;
    const strings =
      '<si><t xml:space="preserve"> a &amp; b_x000D_</t></si>' +
      '<si><r><t>rich </t></r><r><rPr><b/></rPr><t>text</t></r><rPh sb="0" eb="1"><t>hint</t></rPh></si>';
    const cells: readonly (readonly [cell: string, shown: string])[] = [
      ['<c t="s"><v>0</v></c>', ' a & b\r'],
      ['<c t="s"><v>1</v></c>', 'rich text'],
      ['<c><is><t>not of the next cell: </t></is><v>1</v></c>', '1'],
      ['<c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>', 'inline'],
      ['<c t="str"><f>"x"</f><v>x</v></c>', 'x'],
      ['<c t="b"><v>1</v></c>', 'true'],
      ['<c t="e"><v>#REF!</v></c>', '#REF!'],
      ['<c><v>12.50</v></c>', '12.5'],
      ['<c s="1"><v>45366</v></c>', '2024-03-15'],
      ['<c s="2"><v>45366.5</v></c>', '2024-03-15 12:00:00'],
      ['<c s="3"><v>0.5</v></c>', '12:00'],
      ['<c s="4"><v>3</v></c>', '3'],
      ['<c s="5"><v>1067</v></c>', '01067'],
      ['<c s="5"><v>1.5</v></c>', '1.5'],
      ['<c s="6"><v>8</v></c>', '8'],
      ['<c s="7"><v>60</v></c>', '1900-02-28'],
    ];
    const header = cells.map((_, i) => `<c t="inlineStr"><is><t>c${i}</t></is></c>`).join('');
    const rows = `<row>${header}</row><row>${cells.map(([cell]) => cell).join('')}</row>`;
    const shown = async (workbook = '') => {
      const found = await inspect(await buildWorkbook({ workbook, rows, strings, styles }));
      return found?.columns.map(({ examples }) => examples[0]);
    };
    expect(await shown()).toEqual(cells.map(([, text]) => text));
    expect(await shown('<workbookPr date1904="1"/>')).toContain('2028-03-16');
  });

  it('finds what the columns stand for, and their first values', async () => {
    const found = await inspect(
      await xlsx([
        ['Revision id', 'Version', 'title', 'DAY', 'Remarks'],
        [1, 1, 'one', new Date('2024-03-12'), null],
        [],
        ['2', 3, null, '25/12/2024', 'mine'],
      ]),
    );
    expect(found).toMatchObject({ name: 'corrected.any', rows: 2, versions: true });
    expect(found?.columns.map(({ column, examples }) => [column, examples])).toEqual([
      [{ as: 'id' }, ['1', '2']],
      [{ as: 'version' }, ['1', '3']],
      [{ as: 'field', field: 'TITLE', decimal: null, order: null }, ['one']],
      [{ as: 'field', field: 'DAY', decimal: null, order: 'dmy' }, ['2024-03-12', '25/12/2024']],
      [{ as: 'nothing' }, ['mine']],
    ]);
  });

  it('tells which type the cells of each column look like, and what does not fit its field', async () => {
    const found = await inspect(
      [
        'Revision id;Title;Amount;DAY;Place;Paid;Seen;Empty;Start',
        '1;12;1,50;12.03.2024;01067;ja;12.03.2024 14:05;;9:30',
        '2;13;n/a;2024;10115;no;2024-03-12T14:05:00Z;;21:05:10',
        '3;14;#N/A;31.02.2024;;;;;',
      ].join('\n'),
    );
    expect(found?.columns.map(({ looksLike, misfits }) => [looksLike, misfits])).toEqual([
      ['integer', null],
      ['integer', null],
      ['text', { count: 2, example: 'n/a' }],
      ['text', { count: 2, example: '2024' }],
      ['text', null],
      ['boolean', null],
      ['datetime', null],
      [null, null],
      ['time', null],
    ]);
    const noon = new Date('1899-12-31T12:00:00Z');
    const typed = await inspect(
      await xlsx([
        ['Revision id', 'Amount', 'DAY', 'Yes', 'When', 'Start'],
        [1, 1, new Date('2024-03-12'), true, new Date('2024-03-12T14:05:00Z'), noon],
        [2, 1.5, 45000, false, null, new Date('1899-12-31T00:00:00Z')],
      ]),
    );
    expect(typed?.columns.map(({ looksLike, misfits }) => [looksLike, misfits])).toEqual([
      ['integer', null],
      ['decimal', null],
      ['text', { count: 1, example: '45000' }],
      ['boolean', null],
      ['datetime', null],
      ['time', null],
    ]);
  });

  it('asks once for each column that can be read in two ways', async () => {
    const found = await inspect('Revision id;Amount;DAY\n1;1.234;03/04/2024\n2;12;05/06/2024\n');
    // That the field has two decimal places does not tell how its writer writes.
    expect(found?.columns.map(({ question }) => question)).toEqual([
      null,
      { about: 'decimal', example: '1.234' },
      { about: 'order', example: '03/04/2024' },
    ]);
  });

  it('takes other meanings of columns than their headers say', async () => {
    const columns = [{ as: 'id' }, { as: 'field', field: 'day' }];
    const found = await inspect('Number,When\n1,03/04/2024\n', columns);
    expect(found?.columns[1]).toMatchObject({
      column: { as: 'field', field: 'DAY' },
      question: { about: 'order' },
    });
  });

  const encodings = sampled(3, [
    ['UTF-8 with its mark', Buffer.from('\ufeffRevision id,Title\r\n1,Müller\r\n')],
    ['UTF-16', Buffer.from('\ufeffRevision id\tTitle\r\n1\tMüller\r\n', 'utf16le')],
    ['Windows-1252', Buffer.from('Revision id;Title\r\n1;Müller\r\n', 'latin1')],
    ['UTF-8', Buffer.from('Revision id,Title\r\n1,Müller\r\n')],
    ['the line ends of old Macs', Buffer.from('Revision id;Title\r1;Müller\r')],
  ]);
  it.each(encodings)('reads CSV in %s', async (_, bytes) => {
    const found = await inspect(bytes);
    expect(found?.rows).toBe(1);
    expect(found?.columns.map(({ column, examples }) => [column.as, examples[0]])).toEqual([
      ['id', '1'],
      ['field', 'Müller'],
    ]);
  });

  describe('refuses', () => {
    const unreadable = sampled(4, [
      ['headers alone', 'Revision id,Title\n', /no rows/],
      ['a quotation mark that is never closed', 'Revision id\n"1', /is not closed/],
      ['a zip that is no spreadsheet', Buffer.from('PK\u0003\u0004nothing'), /damaged/],
      ['bytes', Buffer.from([1, 0, 2, 0]), /neither/],
      ['an empty file', '', /empty/],
      ['an old Excel file', Buffer.from('d0cf11e0a1b11ae100', 'hex'), /XLSX/],
    ]);
    it.each(unreadable)('%s', async (_, bytes, reason) => {
      expect(await refusal(bytes)).toEqual({ 'files.0': [expect.stringMatching(reason)] });
    });

    it('too many rows', { tags: ['long'] }, async () => {
      const rows = Array.from({ length: 100_001 }, (_, i) => `${i + 1}`).join('\n');
      expect(await refusal(`Revision id\n${rows}\n`)).toEqual({
        'files.0': [expect.stringContaining('100,000')],
      });
    });

    it('a small file that unpacks to gigabytes', { tags: ['long'] }, async () => {
      const book = await writeXlsx({ sheets: [{ name: 'Any', rows: [['Revision id'], [1]] }] });
      const bomb = withZeros(Buffer.from(book), 'xl/styles.xml', 300 * 1024 * 1024);
      expect(bomb.length).toBeLessThan(1024 * 1024);
      expect(await refusal(bomb)).toEqual({ 'files.0': [expect.stringContaining('too large')] });
    });

    it('a file of very many parts', async () => {
      const book = await writeXlsx({ sheets: [{ name: 'Any', rows: [['Revision id'], [1]] }] });
      expect((await send(withParts(Buffer.from(book), 1_000))).status).toBe(200);
      expect(await refusal(withParts(Buffer.from(book), 10_001))).toEqual({
        'files.0': [expect.stringContaining('too large')],
      });
    });

    it('columns that cannot be', async () => {
      const csv = 'a,b\n1,2\n';
      expect(await refusal(csv, [{ as: 'id' }, { as: 'id' }])).toHaveProperty(['columns.1']);
      expect(await refusal(csv, [{ as: 'field', field: 'X' }])).toHaveProperty(['columns.0']);
      expect(await refusal(csv, [{ as: 'other' }])).not.toEqual({});
    });

    it('a form without a file or with more', async () => {
      const path = `${archivePath(archive)}/imports/inspections`;
      const none = formOf([['columns', '[]']]);
      const answer = await clerk.post(path, none.body, { headers: none.headers });
      expect(answer).toMatchObject({
        status: 422,
        body: { errors: { 'files.0': [expect.stringContaining('needed')] } },
      });
    });

    it('whoever may only read', async () => {
      const answer = await send('Revision id\n1\n', undefined, await t.signedIn('reading'));
      expect(answer.status).toBe(403);
    });
  });
});

/** The zip file whose directory names its first part so many times. */
function withParts(zip: Buffer, count: number): Buffer {
  const end = zip.length - 22;
  const directory = zip.readUInt32LE(end + 16);
  const first = zip.subarray(directory, directory + 46 + zip.readUInt16LE(directory + 28));
  const named = zip.readUInt16LE(end + 10);
  const entries = Array.from({ length: count - named }, () => first);
  const tail = Buffer.from(zip.subarray(end));
  tail.writeUInt16LE(count, 8);
  tail.writeUInt16LE(count, 10);
  tail.writeUInt32LE(end - directory + first.length * entries.length, 12);
  return Buffer.concat([
    zip.subarray(0, directory),
    ...entries,
    zip.subarray(directory, end),
    tail,
  ]);
}

/** The zip file with a part in its directory whose bytes are so many zeros, packed. */
function withZeros(zip: Buffer, name: string, count: number): Buffer {
  const packed = deflateRawSync(Buffer.alloc(count));
  const directory = zip.readUInt32LE(zip.length - 6);
  let at = directory;
  while (zip.toString('latin1', at + 46, at + 46 + zip.readUInt16LE(at + 28)) !== name) {
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  // Behind the other parts; the directory moves on by as much.
  const local = Buffer.alloc(30 + name.length);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt16LE(name.length, 26);
  local.write(name, 30, 'latin1');
  const changed = Buffer.from(zip);
  changed.writeUInt32LE(packed.length, at + 20);
  changed.writeUInt32LE(directory, at + 42);
  const moved = directory + local.length + packed.length;
  changed.writeUInt32LE(moved, changed.length - 6);
  return Buffer.concat([
    changed.subarray(0, directory),
    local,
    packed,
    changed.subarray(directory),
  ]);
}
