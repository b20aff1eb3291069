/** @module-tag slow */
import { writeXlsx } from 'hucre/xlsx';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorBodySchema } from '#shared/contract/errors.ts';
import {
  analysesAnswer,
  type DefinitionAnalysis,
  type SheetAnalysis,
} from '#shared/contract/file-analysis.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { IS_LONG_RUN } from '#tests/support/effort.ts';
import { formOf } from '#tests/support/forms.ts';

const CONTRACTS = [
  'Vertragsnr.;Partner;Gültig bis;Betrag;Status;Stück',
  ...Array.from({ length: 24 }, (_, i) => {
    const day = String((i % 28) + 1).padStart(2, '0');
    return `0${i + 100};Firma Müller ${i % 5};${day}.03.2027;1.${String(i).padStart(3, '0')},50;${i % 2 === 0 ? 'offen' : 'bezahlt'};${i}`;
  }),
].join('\r\n');

describeOnOneDatabase('the analysis of a file', (open) => {
  let t: TestApp;
  let admin: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    await buildUser(t.database, { username: 'boss', role: 'administrator' });
    await buildUser(t.database);
    admin = await t.signedIn('boss');
  });
  const send = (
    name: string,
    bytes: string | Buffer,
    fields: Readonly<Record<string, string>> = {},
    by = admin,
  ) => {
    const form = formOf([['files[0]', { name, bytes }], ...Object.entries(fields)]);
    return by.post('configuration/analyses', form.body, { headers: form.headers });
  };
  const analyse = async (...given: Parameters<typeof send>) => {
    const answer = await send(...given);
    expect(answer).toMatchObject({ status: 200 });
    const [found] = analysesAnswer.parse(answer.body).analyses;
    return found;
  };
  const sheet = async (...given: Parameters<typeof send>): Promise<SheetAnalysis> => {
    const found = await analyse(...given);
    if (found?.kind !== 'sheet') throw new Error('It is no spreadsheet');
    return found;
  };
  const refusal = async (...given: Parameters<typeof send>) => {
    const answer = await send(...given);
    expect(answer.status).toBe(422);
    return errorBodySchema.parse(answer.body).errors;
  };

  it('recognises how a German file is written, and its columns', async () => {
    const found = await sheet('vertraege.csv', Buffer.from(CONTRACTS, 'latin1'));
    expect(found.format).toEqual({
      type: 'csv',
      separator: ';',
      encoding: 'windows-1252',
      header: 1,
      locale: 'de-DE',
    });
    expect(found.rows).toBe(24);
    expect(found.columns).toMatchObject([
      { name: 'VERTRAGSNR', label: 'Vertragsnr.', type: 'text', unique: true, required: true },
      { name: 'PARTNER', type: 'text', maxLength: 20, unique: false },
      { name: 'GULTIG_BIS', label: 'Gültig bis', type: 'date', order: 'dmy' },
      { name: 'BETRAG', type: 'decimal', scale: 2, decimal: ',' },
      { name: 'STATUS', type: 'text', options: ['bezahlt', 'offen'] },
      { name: 'STUCK', type: 'integer', options: null },
    ]);
    expect(found.columns.map(({ misfits, question }) => [misfits, question])).toEqual(
      Array.from({ length: 6 }, () => [null, null]),
    );
    expect(found.records).toHaveLength(24);
    expect(found.records[1]).toEqual({
      line: 3,
      cells: ['0101', 'Firma Müller 1', '02.03.2027', '1.001,50', 'bezahlt', '1'],
      values: ['0101', 'Firma Müller 1', '2027-03-02', 1001.5, 'bezahlt', 1],
    });
    expect(found.proposed.archive).toMatchObject({ table: 'VERTRAEGE', name: 'Vertraege' });
    expect(found.proposed.table?.columns[0]).toMatchObject({ name: 'vertragsnr', unique: true });
  });

  it('proposes as unique only the first column that identifies the rows', async () => {
    const csv = 'Day,Amount,Paid,Remark,No,VAT id\n2026-01-02,1.50,true,late payment,A-1,DE1\n';
    const found = await sheet('few.csv', `${csv}2026-01-03,2.25,false,sent twice,A-2,DE2\n`);
    expect(found.columns.filter(({ unique }) => unique).map(({ name }) => name)).toEqual(['NO']);
  });

  it('reads XLSX, and finds the header below a title', async () => {
    const rows = [
      ['Report of March'],
      ['No', 'Day', 'Total'],
      [1, new Date('2024-03-12'), 1.25],
      [2, null, 2],
    ];
    const found = await sheet(
      'report.xlsx',
      Buffer.from(await writeXlsx({ sheets: [{ name: 'Any', rows }] })),
    );
    expect(found.format).toEqual({
      type: 'xlsx',
      separator: null,
      encoding: null,
      header: 2,
      locale: null,
    });
    expect(found.columns).toMatchObject([
      { name: 'NO', type: 'integer', unique: true },
      { name: 'DAY', type: 'date', required: false, filled: 1 },
      { name: 'TOTAL', type: 'decimal' },
    ]);
  });

  it('numbers the columns of a file without a header', { tags: ['long'] }, async () => {
    const found = await sheet('numbers.tsv', '1\t2024-01-02\n2\t2024-01-03\n');
    expect(found.format).toMatchObject({ separator: '\t', header: 0 });
    expect(found.rows).toBe(2);
    expect(found.columns).toMatchObject([
      { header: '', name: 'COLUMN_1', label: 'Column 1', type: 'integer' },
      { header: '', name: 'COLUMN_2', label: 'Column 2', type: 'date' },
    ]);
    // Headers are distinct, and the last row is none.
    const twice = await sheet('names.csv', 'Name,Name\na,b\n');
    expect(twice).toMatchObject({ format: { header: 0 }, rows: 2 });
  });

  it('leaves room for names that are taken, reserved or empty', { tags: ['long'] }, async () => {
    const found = await sheet('a.csv', 'Name,name!,jrid,,,3 D\na,b,c,,e,f\n');
    expect(found.columns.map(({ name }) => name)).toEqual([
      'NAME',
      'NAME_2',
      'JRID_2',
      null,
      'COLUMN_5',
      'COLUMN_6_3_D',
    ]);
  });

  it('takes what an administrator says instead of its guesses', async () => {
    const bytes = 'title only\nA|B|C\n03/04/2024|7|x\n05/06/2024|8|longer\n';
    const guessed = await sheet('a.csv', bytes);
    expect(guessed.format).toMatchObject({ separator: '|', header: 2, locale: null });
    expect(guessed.columns[0]?.question).toEqual({ about: 'order', example: '03/04/2024' });
    const told = await sheet('a.csv', bytes, {
      locale: 'en-US',
      rows: '1',
      columns: JSON.stringify([{}, { type: 'text', name: 'NUMBER' }, { maxLength: 3 }]),
    });
    expect(told.columns[0]).toMatchObject({ type: 'date', order: 'mdy', question: null });
    expect(told.columns[1]).toMatchObject({ type: 'text', name: 'NUMBER' });
    expect(told.columns[2]).toMatchObject({ misfits: { count: 1, examples: ['longer'] } });
    expect(told.records).toHaveLength(1);
    expect(told.records[0]?.values).toEqual(['2024-03-04', '7', 'x']);
    const other = await sheet('a.csv', bytes, { separator: ';', header: '2', encoding: 'utf-8' });
    expect(other.columns.map(({ header }) => header)).toEqual(['A|B|C']);
    if (!IS_LONG_RUN) return;
    const first = await sheet('a.csv', bytes, { columns: '[{"order":"dmy"}]' });
    expect(first.records[0]?.values[0]).toBe('2024-04-03');
  });

  it('takes a column for the type of nearly all its values, and says which do not fit', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => {
      const day = `${String((i % 28) + 1).padStart(2, '0')}.03.2027`;
      const isOdd = i === 0 || i === 31 || i === 59;
      const texts = isOdd ? ['gestern', 'n/a', 'A-7', '031', 'x'] : [];
      const [date = day, amount = `${i},50`, number = String(i + 1200)] = texts;
      const [, , , code = `${i},5`, few = i % 10 === 0 ? 'y' : day] = texts;
      return [date, amount, number, code, few].join(';');
    });
    const bytes = ['Day;Amount;Article;Code;Mixed', ...rows].join('\n');
    const { columns, records } = await sheet('a.csv', bytes);
    expect(columns.map(({ type }) => type)).toEqual(['date', 'decimal', 'text', 'text', 'text']);
    expect(columns.map(({ misfits }) => misfits)).toMatchObject([
      { count: 3, examples: ['gestern'], message: expect.stringContaining('date') },
      { count: 3, examples: ['n/a'] },
      null,
      null,
      null,
    ]);
    expect(records.map(({ values }) => values[0]).slice(0, 2)).toEqual([null, '2027-03-02']);
    // Of a few values none is an exception.
    const few = await sheet('a.csv', 'Day;No\n01.03.2027;1\n02.03.2027;2\ngestern;3\n');
    expect(few.columns[0]).toMatchObject({ type: 'text', misfits: null });
    // Amounts such as 4.50 could be times; versions are no numbers, and moments without an offset no date-times.
    const at = '2024-01-02T10:00:00';
    const dotted = Array.from(
      { length: 30 },
      (_, i) => `${i % 10}.${10 + i},1.${i % 10},${at},${at}Z`,
    );
    const { columns: ofOthers } = await sheet(
      'a.csv',
      ['Price,Version,At,Sent', ...dotted, `n/a,1.2.3,${at},${at}Z`].join('\n'),
    );
    expect(ofOthers.map(({ type }) => type)).toEqual(['decimal', 'text', 'text', 'datetime']);
  });

  it('reads the archives and tables of a definition file', async () => {
    const archive = {
      guid: '00000000-0000-4000-8000-000000000001',
      table: 'CONTRACTS',
      name: 'Contracts',
      indexFields: [{ name: 'NO', type: 'text', maxLength: 10 }],
    };
    const table = {
      guid: '00000000-0000-4000-8000-000000000002',
      name: 'PARTNERS',
      label: 'Partners',
      columns: [{ name: 'NO', type: 'text', maxLength: 10 }],
    };
    const views = [{ name: 'All', search: 'sort=NO' }];
    const definition = {
      archives: [{ ...archive, views, documents: [{ indexFields: [{ name: 'NO', value: '1' }] }] }],
      tables: [{ ...table, views, datasets: [{ NO: '1' }] }],
      users: [{ username: 'any', role: 'clerk', password: 'does not matter' }],
    };
    const found: DefinitionAnalysis | SheetAnalysis | undefined = await analyse(
      'definition.json',
      JSON.stringify(definition),
    );
    expect(found).toEqual({
      kind: 'definition',
      name: 'definition.json',
      archives: [archive],
      tables: [table],
      ignored: { documents: 1, datasets: 1, files: 0, users: 1 },
    });
  });

  describe('is refused', () => {
    it('to everyone but administrators', async () => {
      const clerk = await t.signedIn('clerk');
      expect(await send('a.csv', 'a\n1\n', {}, clerk)).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      });
    });

    it('for a file without rows, and for one that cannot be read', async () => {
      expect(await refusal('a.csv', 'A,B\n')).toMatchObject({ 'files.0': [expect.any(String)] });
      expect(await refusal('a.json', '{"archives": [{"table": 7}]}')).toMatchObject({
        'files.0': expect.arrayContaining([expect.stringContaining('archives[0]')]),
      });
      expect(await refusal('a.json', '{"archives": ')).toMatchObject({
        'files.0': [expect.stringContaining('not JSON')],
      });
    });

    it('for parameters that mean nothing', async () => {
      const errors = await refusal('a.csv', 'a\n1\n', {
        separator: ';;',
        encoding: 'klingon',
        locale: 'not a tag',
        header: '-1',
        rows: '100000',
        columns: '[',
        colour: 'red',
      });
      expect(Object.keys(errors).sort()).toEqual([
        '-',
        'columns',
        'encoding',
        'header',
        'locale',
        'rows',
        'separator',
      ]);
      expect(await refusal('a.csv', 'a\n1\n', { columns: '[{"kind":"text"}]' })).toMatchObject({
        '-': [expect.stringMatching(/^In “columns\[0\]”/)],
      });
    });
  });
});
