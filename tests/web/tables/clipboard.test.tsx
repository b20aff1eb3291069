import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatForClipboard } from '#web/features/data-grid/ranges/clipboard-content.ts';
import { readClipboard } from '#web/features/data-grid/paste/clipboard.ts';
import { readTsv } from '#web/features/data-grid/paste/tsv.ts';
import { buildColumn } from './columns.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/clipboard');

const fixture = (name: string, forms: readonly ('html' | 'txt')[] = ['html', 'txt']) => {
  const form = (ending: 'html' | 'txt') =>
    forms.includes(ending) ? readFileSync(join(FIXTURES, `${name}.${ending}`), 'utf8') : '';
  return readClipboard({ own: '', html: form('html'), text: form('txt') });
};
const textsOf = (clip: ReturnType<typeof readClipboard>) =>
  clip?.map((row) => row.map(({ text }) => text));
const exactOf = (clip: ReturnType<typeof readClipboard>) =>
  clip?.map((row) =>
    row.map(({ exact }) => (exact && 'text' in exact ? exact.text : (exact && exact.is) || '')),
  );

describe('what LibreOffice Calc copies', () => {
  test.each(['de', 'en'])('is read with its values, line breaks and blanks (%s)', (language) => {
    const clip = fixture(`libreoffice-values-${language}`);
    expect(exactOf(clip)?.slice(1)).toEqual([
      ['', '', '1234.5', '2024-04-03', 'true', ''],
      ['', '', '-0.05', '2025-01-01', 'false', ''],
      ['', '', '1000000', '2024-02-28', 'true', ''],
    ]);
    const texts = textsOf(clip) ?? [];
    expect(texts.map((row) => row[0])).toEqual(['Nr.', '007', '008', '009']);
    expect(texts[1]?.[1]).toBe('Müller & Söhne');
    expect(texts[1]?.[5]).toBe('erste Zeile\nzweite Zeile');
    expect(texts[2]?.[1]).toBe('Say "hi"\tthere');
    expect(texts[2]?.[5]).toBe('  two  blanks  ');
    expect(texts[3]?.[1]).toBe('');
    expect(texts[3]?.[5]).toBe('=1+1');
  });
  test('has merged cells but once', () => {
    expect(textsOf(fixture('libreoffice-merged'))).toEqual([
      ['a', '', 'c'],
      ['d', 'e', 'f'],
      ['g', 'h', ''],
    ]);
  });
  test('has one cell', () => {
    expect(textsOf(fixture('libreoffice-single'))).toEqual([['Kiel']]);
    expect(textsOf(fixture('libreoffice-single', ['txt']))).toEqual([['Kiel']]);
  });
  test('has date-times and fractions; errors and times of the day have no value', () => {
    expect(exactOf(fixture('libreoffice-formats'))?.[0]).toEqual([
      '2024-04-03T14:30:00',
      '0.125',
      '1.23456789',
      '',
      '',
    ]);
  });
  test('as text alone', () => {
    const texts = textsOf(fixture('libreoffice-values-de', ['txt']));
    expect(texts).toHaveLength(4);
    expect(texts?.[1]?.slice(2, 4)).toEqual(['1.234,50', '03.04.2024']);
  });
});

describe('what Excel copies, as it is described', () => {
  test('is read with its blanks and line breaks', () => {
    expect(textsOf(fixture('described-excel-values'))).toEqual([
      ['007', '1.234,50', '03/04/2024', 'one\ntwo'],
      ['A  long name that is wrapped', '-0,25', '01/01/2025', '#N/A'],
    ]);
    expect(textsOf(fixture('described-excel-values', ['html']))?.[0]).toEqual([
      '007',
      '1.234,50',
      '03/04/2024',
      'one\ntwo',
    ]);
  });
  test('says in which order its days are written', () => {
    const clip = fixture('described-excel-values');
    expect(clip?.[0]?.[2]?.exact).toEqual({ is: 'order', order: 'dmy' });
    expect(exactOf(clip)?.[1]).toEqual(['', '-0.25', '2025-01-01', '']);
  });
});

describe('what Google Sheets copies, as it is described', () => {
  test('is read with its values and merged cells', () => {
    const clip = fixture('described-sheets-values');
    expect(textsOf(clip)).toEqual([
      ['007', '1.234,50', '03/04/2024', 'WAHR'],
      ['one\ntwo', '', '', 'FALSCH'],
    ]);
    expect(exactOf(clip)).toEqual([
      ['', '1234.5', '2024-04-03', 'true'],
      ['', '', '', 'false'],
    ]);
  });
});

describe('text', () => {
  test.each([
    [
      'a\tb\r\nc\td\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a\n\nb', [['a'], [''], ['b']]],
    ['"one\ntwo"\t"say ""x"""\n', [['one\ntwo', 'say "x"']]],
    ['"quoted"\t5" pipe\t"open', [['"quoted"', '5" pipe', '"open']]],
    ['a\t', [['a', '']]],
    ['', [['']]],
    ['one\rtwo', [['one'], ['two']]],
  ])('%j', (text, rows) => {
    expect(readTsv(text)).toEqual(rows);
  });
  test('without a table is read; no text is no row', () => {
    expect(textsOf(readClipboard({ own: '', html: '<p>a', text: 'a\tb' }))).toEqual([['a', 'b']]);
    expect(readClipboard({ own: '', html: '', text: '' })).toBeNull();
    expect(textsOf(readClipboard({ own: 'broken', html: '', text: 'a' }))).toEqual([['a']]);
  });
});

describe('what the grid itself copies', () => {
  const columns = [buildColumn('a'), buildColumn('b')];
  const texts = fc
    .string({
      unit: fc.constantFrom('a', ' ', '"', '\t', '\n', '\r\n', '=', "'", '-', '<', '&', 'é'),
    })
    .filter((text) => !/\r(?!\n)/.test(text));
  const blocks = fc.array(fc.tuple(texts, texts), { minLength: 1, maxLength: 5 });
  const write = (rows: readonly (readonly string[])[]) =>
    formatForClipboard(
      columns,
      rows.map((row) => row.map((value) => ({ value }))),
      'en-GB',
    );

  test('comes back from its text', () => {
    fc.assert(
      fc.property(blocks, (rows) => {
        const { text } = write(rows);
        expect(textsOf(readClipboard({ own: '', html: '', text }))).toEqual(rows);
      }),
    );
  });
  test('comes back from its table, whatever line breaks become there', { tags: ['long'] }, () => {
    fc.assert(
      fc.property(blocks, (rows) => {
        const { html } = write(rows);
        const alike = rows.map((row) => row.map((text) => text.replaceAll('\r\n', '\n')));
        expect(textsOf(readClipboard({ own: '', html, text: '' }))).toEqual(alike);
      }),
    );
  });
  test('comes back as the values it was', () => {
    const own = formatForClipboard(
      [buildColumn('a', { type: 'decimal' }), buildColumn('b')],
      [
        [{ value: 1234.5 }, { value: '' }],
        [{ value: null }, { value: '007' }],
      ],
      'de-DE',
    );
    expect(readClipboard(own)?.map((row) => row.map(({ exact }) => exact))).toEqual([
      [
        { is: 'own', value: 1234.5 },
        { is: 'own', value: '' },
      ],
      [
        { is: 'own', value: null },
        { is: 'own', value: '007' },
      ],
    ]);
  });
});
