import { noSuchDateInCell } from '#messages/values.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neutraliseFormula, restoreFormula, restoreCsv } from '#shared/values/csv-formulas.ts';
import type { IndexField } from '#shared/rules/definitions.ts';
import { notationOf, UNKNOWN_NOTATION } from '#shared/values/readings.ts';
import { ColumnNotation } from '#shared/rules/column-notation.ts';
import { headersOf, meaningsOf } from '#shared/rules/spreadsheet-headers.ts';
import { readCell, toCell, toCsvText } from '#shared/rules/spreadsheets.ts';
import { VALUE_TYPES, type ValueType } from '#shared/values/registry.ts';
import { parseValue } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { anyValue } from '#tests/support/sample-values.ts';

function fieldOf(name: string, given: Partial<IndexField> = {}): IndexField {
  return {
    name,
    label: name,
    description: '',
    type: 'text',
    required: false,
    maxLength: null,
    scale: null,
    options: null,
    min: null,
    max: null,
    pattern: null,
    optionsFrom: null,
    ...given,
  };
}
const german = notationOf('de-DE');
const read = (type: ValueType, cell: Parameters<typeof readCell>[1], current: Scalar) =>
  readCell(fieldOf('X', { type }), cell, current, german);

describe('formulas', () => {
  it.each(['=1+1', '+49 30 123', '-x', '@sum', '\t=1', "'=1", "''=1"])(
    'are made harmless: %j',
    (text) => {
      expect(neutraliseFormula(text)).toBe(`'${text}`);
    },
  );

  it.each(['', "'", "'quoted'", 'a=b', '1-2'])('leave other texts alone: %j', (text) => {
    expect(neutraliseFormula(text)).toBe(text);
    expect(restoreFormula(text)).toBe(text);
  });

  it.each([
    ['a;=1+1', "a;'=1+1"],
    ['a\t=1', "a\t'=1"],
    ['a|@x', "a|'@x"],
    ['a\r\n- b', "a\r\n'- b"],
    ['a,\t=1', "a,'\t'=1"],
    ['a;\rb', "a;'\rb"],
    [';""=1', `;'""=1`],
    ["a;'=1", "a;''=1"],
    ['a;\r\nb', 'a;\r\nb'],
    ['a; b, c', 'a; b, c'],
  ])('are made harmless for readers of other separators: %j', (text, safe) => {
    expect(toCsvText(text)).toBe(safe);
  });

  it('give every text back', () => {
    const unit = fc.constantFrom(
      "'",
      '=',
      '-',
      'a',
      '\t',
      '＝',
      ' ',
      ',',
      ';',
      '|',
      '"',
      '\r',
      '\n',
    );
    fc.assert(
      fc.property(fc.string({ unit }), (any) => {
        expect(restoreFormula(neutraliseFormula(any))).toBe(any);
        const written = toCsvText(any);
        expect(restoreCsv(written)).toBe(any);
        for (const separator of [',', ';', '\t', '|', /\r\n|\r|\n/]) {
          for (const cell of written.split(separator).slice(1)) {
            expect(cell.replace(/^"+/, '')).not.toMatch(/^[=+\-@＝]/u);
          }
        }
      }),
    );
  });

  it('leaves texts of other programs alone that only look like its own', () => {
    for (const text of ["a;'=b, =c;=d", "'quoted', 'again'"]) expect(restoreCsv(text)).toBe(text);
    // As exports were before readers of other separators were thought of.
    expect(restoreCsv("'=a;=b")).toBe('=a;=b');
  });
});

describe('headers', () => {
  const fields = [
    fieldOf('NO', { label: 'Invoice no.' }),
    fieldOf('A', { label: 'Date' }),
    fieldOf('B', { label: 'date' }),
    fieldOf('V', { label: 'Version' }),
  ];

  it('are labels where they are the only ones of their kind', () => {
    expect(headersOf(fields)).toEqual(['Invoice no.', 'A', 'B', 'V']);
  });

  it('are understood as names and labels, each once', () => {
    const headers = [' revision ID', 'VERSION', 'invoice NO.', 'no', 'b', 'B', 'Date', ''];
    expect(meaningsOf(headers, fields, [])).toEqual([
      { as: 'id' },
      { as: 'version' },
      { as: 'field', field: 'NO' },
      { as: 'nothing' },
      { as: 'field', field: 'B' },
      { as: 'nothing' },
      { as: 'nothing' },
      { as: 'nothing' },
    ]);
  });
});

it('takes columns of an archive for its keyword fields, by the header of an export or by name', () => {
  const keywords = [
    { name: 'SUBJECT', label: 'Subject' },
    { name: 'PLACE', label: 'Place' },
  ];
  const fields = [fieldOf('NO'), fieldOf('P', { label: 'place' })];
  const headers = ['subject', 'keyword.place', 'Place', 'keyword.SUBJECT'];
  expect(meaningsOf(headers, fields, keywords)).toEqual([
    { as: 'keyword', keyword: 'SUBJECT' },
    { as: 'keyword', keyword: 'PLACE' },
    { as: 'field', field: 'P' },
    { as: 'nothing' },
  ]);
});

it('takes the heading of the list for the id, unless a field is called so', () => {
  expect(meaningsOf(['Revision'], [fieldOf('NO')], [])).toEqual([{ as: 'id' }]);
  const drawing = fieldOf('REV', { label: 'Revision' });
  expect(meaningsOf(['Revision'], [drawing], [])).toEqual([{ as: 'field', field: 'REV' }]);
});

describe('cells', () => {
  const values = {
    ...anyValue,
    text: fc.string({ unit: fc.constantFrom('a', '=', "'", '\r\n', '\n', '\r', ' ', 'é', '1') }),
    date: fc
      .date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
    datetime: fc.constantFrom('2024-03-12T14:05:00+01:00', '0099-03-12T14:05:00.120Z'),
  };

  it.each(VALUE_TYPES)('that are not touched change no %s', (type) => {
    const field = fieldOf('X', { type });
    fc.assert(
      fc.property(fc.option(values[type]), (value) => {
        fc.pre(parseValue(field, typeof value === 'number' ? String(value) : value).ok);
        const typed = toCell(field, value);
        expect(readCell(field, typed, value, UNKNOWN_NOTATION)).toEqual({ kind: 'unchanged' });
        const csv = restoreCsv(toCsvText(value));
        expect(readCell(field, csv, value, UNKNOWN_NOTATION)).toEqual({ kind: 'unchanged' });
        // Spreadsheet programs know one kind of line break.
        const saved = csv.replace(/\r\n?/g, '\n');
        expect(readCell(field, saved, value, UNKNOWN_NOTATION)).toEqual({ kind: 'unchanged' });
      }),
    );
  });

  it('keep the kind of line breaks that a corrected text had', () => {
    expect(read('text', 'one\ntwo!', 'one\r\ntwo')).toEqual({
      kind: 'value',
      value: 'one\r\ntwo!',
    });
    expect(read('text', 'one\ntwo!', 'one\ntwo')).toEqual({ kind: 'value', value: 'one\ntwo!' });
  });

  it('do not lose a text that is too long for them', () => {
    const long = 'x'.repeat(40_000);
    const cell = toCell(fieldOf('X'), long);
    expect(cell).toMatch(/40,000 characters/);
    expect(read('text', cell, long)).toEqual({ kind: 'unchanged' });
  });

  it('are read by what they are', () => {
    expect(read('decimal', 0.1 + 0.2, null)).toEqual({ kind: 'value', value: 0.3 });
    expect(read('decimal', '1.234,50 €', null)).toEqual({ kind: 'value', value: 1234.5 });
    expect(read('integer', 1e-7, null)).toMatchObject({ kind: 'unreadable' });
    const fine = fieldOf('X', { type: 'decimal', scale: 14 });
    expect(readCell(fine, 1e-7, null, german)).toEqual({ kind: 'value', value: 1e-7 });
    // Never rounded to 0.
    expect(readCell(fine, 1e-21, null, german)).toMatchObject({ kind: 'unreadable' });
    expect(readCell(fine, -1.5e-300, null, german)).toMatchObject({ kind: 'unreadable' });
    expect(read('text', 1.234567e-10, null)).toEqual({
      kind: 'value',
      value: '0.0000000001234567',
    });
    expect(read('text', 9_007_199_254_740_991, null)).toMatchObject({ value: '9007199254740991' });
    // oxlint-disable-next-line no-loss-of-precision -- that is what is refused
    expect(read('text', 12345678901234567, null)).toMatchObject({ kind: 'unreadable' });
    expect(read('text', 1e21, null)).toMatchObject({ kind: 'unreadable' });
    expect(read('text', '007', null)).toEqual({ kind: 'value', value: '007' });
    expect(read('decimal', '1,23E+05', null)).toMatchObject({ kind: 'unreadable' });
    const at = '2020-01-01T00:00:00+05:00';
    expect(read('datetime', new Date('2024-03-12T07:59:59.998Z'), at)).toMatchObject({
      value: '2024-03-12T08:00:00+05:00',
    });
    expect(read('datetime', new Date('2024-03-12T07:59:59.500Z'), at)).toMatchObject({
      value: '2024-03-12T07:59:59.500+05:00',
    });
    for (const none of [new Date(NaN), new Date('+010000-01-01'), new Date('-000001-01-01')]) {
      expect(read('text', none, null)).toMatchObject({ message: noSuchDateInCell.message });
    }
    expect(read('date', new Date('2024-03-11T23:59:59.999Z'), null)).toMatchObject({
      value: '2024-03-12',
    });
    expect(read('text', 12, null)).toEqual({ kind: 'value', value: '12' });
    expect(read('date', new Date('2024-03-12T00:00:00Z'), null)).toEqual({
      kind: 'value',
      value: '2024-03-12',
    });
    expect(read('date', new Date('2024-03-12T08:00:00Z'), null)).toMatchObject({
      kind: 'unreadable',
    });
    expect(read('datetime', new Date('2024-03-12T08:00:00Z'), '2020-01-01T00:00:00+05:00')).toEqual(
      {
        kind: 'value',
        value: '2024-03-12T08:00:00+05:00',
      },
    );
    expect(read('datetime', '12.03.2024 08:00', null)).toMatchObject({ kind: 'unreadable' });
    expect(read('boolean', 'Nein', true)).toEqual({ kind: 'value', value: false });
    expect(read('text', '#REF!', 'x')).toMatchObject({ kind: 'unreadable' });
    expect(read('text', '#REF!', '#REF!')).toEqual({ kind: 'unchanged' });
    expect(read('text', null, 'x')).toEqual({ kind: 'value', value: null });
  });
});

describe('what a column shows of its writer', () => {
  const of = (type: ValueType, cells: readonly string[], given: Partial<IndexField> = {}) => {
    const column = new ColumnNotation(fieldOf('X', { type, ...given }));
    for (const cell of cells) column.add(cell);
    return [column.notation.decimal ?? column.notation.order, column.question];
  };

  it.each<[string, ValueType, string[], [string | null, string | null]]>([
    ['one day explains the others', 'date', ['03/04/2024', '25/12/2024'], ['dmy', null]],
    ['nothing explains', 'date', ['04/04/2024', '03/04/2024'], [null, '03/04/2024']],
    ['they disagree', 'date', ['03/04/2024', '25/12/2024', '12/25/2024'], [null, '03/04/2024']],
    ['nothing to explain', 'date', ['2024-01-02', '', 'x'], [null, null]],
    [
      'no order in which days are written',
      'date',
      ['2024-01-02', '03/04/2024'],
      [null, '03/04/2024'],
    ],
    ['a month by its name', 'date', ['March 25, 2024', '03/04/2024'], [null, '03/04/2024']],
    ['two cells together', 'date', ['25/12/24', '03/04/2024'], ['dmy', null]],
    ['a time behind', 'datetime', ['25/12/2024 1:00', '3/4/2024 2:00 PM'], ['dmy', null]],
    ['a number of three places', 'decimal', ['12.50', '7.25', '1.234'], ['.', null]],
    ['an eighth', 'decimal', ['0,125', '1.234'], [',', null]],
    ['whole numbers with groups', 'integer', ['1.234', '7'], [null, '1.234']],
    ['whole numbers with more groups', 'integer', ['1.234', '1.234.567'], [',', null]],
    ['marks that contradict each other', 'decimal', ['12.5', '12,5', '1.234'], [null, '1.234']],
    ['no cents', 'decimal', ['5.000,-', '1.234'], [',', null]],
    ['the end of a sentence', 'decimal', ['12.', '1.234'], [null, '1.234']],
    ['a decimal comma', 'decimal', ['1.234', '12,5'], [',', null]],
    ['a thousand or one', 'decimal', ['1.234', '12'], [null, '1.234']],
  ])('%s', (_, type, cells, wanted) => {
    expect(of(type, cells)).toEqual(wanted);
  });

  it('does not depend on what the field accepts', () => {
    const day = { max: '2024-11-30' };
    expect(of('date', ['03/25/2024', '12/03/2024'], day)).toEqual(['mdy', null]);
    expect(of('date', ['12/03/2024'], day)).toEqual([null, '12/03/2024']);
    expect(of('decimal', ['1.234'], { scale: 2 })).toEqual([null, '1.234']);
    expect(of('decimal', ['1.234'], { min: 1000 })).toEqual([null, '1.234']);
    const field = fieldOf('X', { type: 'date', ...day });
    const american = { decimal: null, order: 'mdy' } as const;
    expect(readCell(field, '12/03/2024', null, american)).toMatchObject({ kind: 'unreadable' });
    const amount = fieldOf('X', { type: 'decimal', scale: 2 });
    const point = { decimal: '.', order: null } as const;
    expect(readCell(amount, '1.234', null, point)).toMatchObject({ kind: 'unreadable' });
  });
});
