import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { definitionFileSchema, type DefinitionFile } from '#shared/contract/definition-file.ts';
import { parseJson } from '#shared/values/json.ts';
import { parseValue, type ValueRules } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { sampleDefects, writeSample } from '../../../scripts/make-sample/sample.ts';
import { readPdf, type PdfContent } from './pdf-text.ts';

type Index = Record<string, Scalar>;
type CsvRow = Readonly<Record<string, string>>;

const SAMPLE = resolve(import.meta.dirname, '../../../examples/invoices');

let file: DefinitionFile;
let invoices: readonly CsvRow[];
let suppliers: readonly CsvRow[];
const stored = new Map<string, Index>();
const pages = new Map<string, PdfContent>();

beforeAll(async () => {
  file = definitionFileSchema.parse(
    parseJson(await readFile(join(SAMPLE, 'invoices.json'), 'utf8')),
  );
  invoices = await readCsv('invoices.csv');
  suppliers = await readCsv('suppliers.csv');
  for (const row of invoices) {
    const index = archive().definition.indexFields.map((field): [string, Scalar] => [
      field.name,
      valueOf(field, row[field.name] ?? ''),
    ]);
    stored.set(row['revisionId'] ?? '', Object.fromEntries(index));
    pages.set(row['revisionId'] ?? '', readPdf(await readFile(join(SAMPLE, row['file'] ?? ''))));
  }
});

async function readCsv(name: string): Promise<readonly CsvRow[]> {
  return parse(await readFile(join(SAMPLE, name)), { columns: true });
}

function archive() {
  const [only] = file.archives;
  if (!only) throw new Error('The sample has no archive.');
  return only;
}

function valueOf(rules: ValueRules, cell: string): Scalar {
  const parsed = parseValue(rules, cell === '' ? null : cell);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.value;
}

/** All ways in which the invoices write a day. */
function daysAsWritten(day: Scalar): string[] {
  const date = new Date(String(day));
  const written = ['en-GB', 'en-US', 'fr-FR'].map((locale) =>
    date.toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' }),
  );
  const [year, month, date2] = String(day).split('-');
  const french = written.map((text) => text.replace(/^1(?:er)? (?=\p{Ll})/u, '1er '));
  return [...written, ...french, `${date2}.${month}.${year}`];
}

/** The number with any separators; its two decimal places are always written. */
function amountAsWritten(amount: Scalar): RegExp {
  const [whole = '', places = ''] = Number(amount).toFixed(2).split('.');
  const grouped = whole.replace(/\B(?=(?:[0-9]{3})+$)/g, "[.,' ]");
  return new RegExp(`^(?:[A-Z]{3} )?${grouped}[.,]${places}$`);
}

test('is what the script writes, in every time zone', { tags: ['long'] }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'indexdesk-sample-'));
  const zone = process.env['TZ'];
  process.env['TZ'] = 'Pacific/Kiritimati';
  onTestFinished(async () => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
    await rm(directory, { recursive: true, force: true });
  });
  await writeSample(directory);
  const names = (await readdir(directory, { recursive: true })).sort();
  const committed = (await readdir(SAMPLE, { recursive: true })).sort();
  expect(committed.filter((name) => !['README.md', 'invoices.json'].includes(name))).toEqual(names);
  for (const name of names.filter((each) => each.includes('.'))) {
    const written = await readFile(join(directory, name));
    const content = await readFile(join(SAMPLE, name));
    // The compressed bytes depend on the processor.
    if (name.endsWith('.pdf'))
      expect(readPdf(written), `${name} is the same`).toEqual(readPdf(content));
    else expect(written.equals(content), `${name} is the same`).toBe(true);
  }
});

test('has 200 invoices in files of a few kilobytes, of one or two pages', async () => {
  expect(stored.size).toBe(200);
  const counts = new Set<number>();
  for (const { file: path } of invoices) {
    const bytes = await readFile(join(SAMPLE, path ?? ''));
    const count = readPdf(bytes).pages;
    counts.add(count);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(bytes.subarray(-6).toString().trim()).toBe('%%EOF');
    expect(bytes.length).toBeLessThan(count === 1 ? 6_000 : 8_000);
  }
  expect(counts).toEqual(new Set([1, 2]));
});

describe('the definition', () => {
  test('names the columns of the CSV files', () => {
    const { documentsFrom, definition } = archive();
    expect(Object.keys(invoices[0] ?? {})).toEqual([
      documentsFrom?.revisionId,
      ...definition.indexFields.map(({ name }) => name),
      ...definition.keywordFields.map(({ name }) => name),
      documentsFrom?.files?.column,
    ]);
    const [table] = file.tables;
    expect(Object.keys(suppliers[0] ?? {})).toEqual([
      table?.datasetsFrom?.jrid,
      ...(table?.definition.columns ?? []).map(({ name }) => name),
    ]);
  });

  test('uses every value type but times, and every keyword field', () => {
    const types = new Set(archive().definition.indexFields.map(({ type }) => type));
    expect([...types].sort()).toEqual(
      ['boolean', 'date', 'datetime', 'decimal', 'integer', 'text'].sort(),
    );
    for (const name of ['SUBJECT', 'PROJECT']) {
      expect(invoices.some((row) => row[name] !== '')).toBe(true);
      expect(invoices.some((row) => row[name]?.includes('|'))).toBe(true);
    }
  });

  test('has remarks with both kinds of line break', () => {
    const remarks = [...stored.values()].map(({ REMARK }) => String(REMARK));
    expect(remarks.some((remark) => remark.includes('\r\n'))).toBe(true);
    expect(remarks.some((remark) => /[^\r]\n/.test(remark))).toBe(true);
  });

  test('holds for every supplier, each with another number', () => {
    const columns = file.tables[0]?.definition.columns ?? [];
    const numbers = suppliers.map((row) => {
      for (const column of columns) {
        const cell = row[column.name] ?? '';
        const parsed = parseValue(column, cell === '' ? null : cell);
        expect(parsed, `${column.name} of ${row['NAME']}`).toMatchObject({ ok: true });
      }
      return row['SUPPLIERNO'];
    });
    expect(numbers.length).toBeGreaterThanOrEqual(40);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  test('takes suppliers from the table, by columns that it has', () => {
    const from = archive().definition.indexFields.find(
      ({ optionsFrom }) => optionsFrom,
    )?.optionsFrom;
    const columns = file.tables[0]?.definition.columns.map(({ name }) => name);
    expect(from?.table).toBe(file.tables[0]?.definition.name);
    expect(columns).toEqual(
      expect.arrayContaining([from?.column, ...Object.values(from?.fills ?? {})]),
    );
  });
});

describe('what is wrong in the index', () => {
  test('differs from the right value, in about 60 invoices and in most fields', () => {
    const defects = sampleDefects();
    const fields = new Set<string>();
    for (const [revisionId, right] of defects) {
      expect(Object.keys(right).length).toBeGreaterThan(0);
      for (const [name, value] of Object.entries(right)) {
        expect(stored.get(revisionId)?.[name], `${name} of ${revisionId}`).not.toBe(value);
        fields.add(name);
      }
    }
    expect(defects.size).toBeGreaterThanOrEqual(55);
    expect(defects.size).toBeLessThanOrEqual(70);
    for (const name of [
      'INVOICENO',
      'INVOICEDATE',
      'SUPPLIERNO',
      'SUPPLIER',
      'ORDERNO',
      'NET',
      'VAT',
    ]) {
      expect(fields).toContain(name);
    }
    for (const name of ['TOTAL', 'CURRENCY', 'DUEDATE', 'PAGES', 'COSTCENTRE']) {
      expect(fields).toContain(name);
    }
  });

  test('is nothing else: the pages show the right values of all invoices', () => {
    const defects = sampleDefects();
    for (const [revisionId, index] of stored) {
      const right: Index = { ...index, ...defects.get(revisionId) };
      const page = pages.get(revisionId);
      const texts = page?.texts ?? [];
      const shows = (name: string, wanted: readonly Scalar[]) =>
        expect(
          texts.some((text) => wanted.includes(text)),
          `${name} of ${revisionId}`,
        ).toBe(true);
      for (const name of ['INVOICENO', 'SUPPLIERNO', 'SUPPLIER'])
        shows(name, [right[name] ?? null]);
      const ordered = texts.filter((text) => text.startsWith('PO-'));
      expect(ordered, `ORDERNO of ${revisionId}`).toEqual(
        right['ORDERNO'] === null ? [] : [right['ORDERNO']],
      );
      for (const name of ['INVOICEDATE', 'DUEDATE'])
        shows(name, daysAsWritten(right[name] ?? null));
      for (const name of ['NET', 'VAT', 'TOTAL']) {
        const form = amountAsWritten(right[name] ?? null);
        expect(
          texts.some((text) => form.test(text)),
          `${name} of ${revisionId}`,
        ).toBe(true);
      }
      const total = texts.find((text) => /^(?:EUR|GBP|CHF|USD) [0-9]/.test(text)) ?? '';
      expect(total, `total of ${revisionId}`).toMatch(amountAsWritten(right['TOTAL'] ?? null));
      expect(total.slice(0, 3), `CURRENCY of ${revisionId}`).toBe(right['CURRENCY']);
      expect(page?.pages, `PAGES of ${revisionId}`).toBe(right['PAGES']);
      shows('COSTCENTRE', [String(right['COSTCENTRE']).slice(0, 4)]);
      shows('RECEIVEDAT', [String(right['RECEIVEDAT']).slice(0, 10)]);
      const cents = (name: string) => Math.round(Number(right[name]) * 100);
      expect(cents('NET') + cents('VAT')).toBe(cents('TOTAL'));
    }
  });
});

test('comes with work lists of what lacks a value that it should have, each short enough to be done at once', async () => {
  const defects = sampleDefects();
  const { views } = archive();
  expect(views.map(({ name }) => name)).toContain('Supplier no. missing');
  for (const { name, search } of views) {
    const [, field = ''] = /^where\[(\w+)\]\[null\]=true$/.exec(decodeURIComponent(search)) ?? [];
    const lacking = [...stored].filter(([, index]) => index[field] === null);
    expect([name, lacking.length > 0, lacking.length < 20]).toEqual([name, true, true]);
    for (const [id] of lacking) {
      expect([name, id, field in (defects.get(id) ?? {})]).toEqual([name, id, true]);
    }
  }
});
