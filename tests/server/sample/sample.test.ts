import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleDefects, writeSample } from '#server/sample/sample.ts';
import { definitionFileSchema, type DefinitionFile } from '#shared/definition-file.ts';
import { parseJson } from '#shared/json.ts';
import { parseValue, type Scalar, type ValueRules } from '#shared/values.ts';
import { readPdf, type PdfContent } from './pdf-text.ts';

type Index = Record<string, Scalar>;

let directory: string;
let path: string;
let file: DefinitionFile;
const stored = new Map<string, Index>();
const pages = new Map<string, PdfContent>();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'indexdesk-sample-'));
  path = await writeSample(join(directory, 'first'));
  file = definitionFileSchema.parse(parseJson(await readFile(path, 'utf8')));
  for (const { revisionId, indexFields, files } of archive().documents) {
    const index = Object.fromEntries(
      (indexFields ?? []).map(({ name, value }) => [name, valueOf(rulesOf(name), value)]),
    );
    stored.set(String(revisionId), index);
    const bytes = await readFile(join(dirname(path), files?.[0] ?? ''));
    pages.set(String(revisionId), readPdf(bytes));
  }
});

afterAll(() => rm(directory, { recursive: true, force: true }));

function archive() {
  const [only] = file.archives;
  if (!only) throw new Error('The sample has no archive.');
  return only;
}

function rulesOf(name: string): ValueRules {
  const field = archive().definition.indexFields.find((each) => each.name === name);
  if (!field) throw new Error(`The archive has no field ${name}.`);
  return field;
}

function valueOf(rules: ValueRules, raw: Parameters<typeof parseValue>[1]): Scalar {
  const parsed = parseValue(rules, raw);
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

test('is the same to the byte each time and in every time zone', async () => {
  const zone = process.env['TZ'];
  process.env['TZ'] = 'Pacific/Kiritimati';
  try {
    await writeSample(join(directory, 'second'));
  } finally {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  }
  const names = (await readdir(join(directory, 'first'), { recursive: true })).sort();
  expect(names).toHaveLength(202);
  expect((await readdir(join(directory, 'second'), { recursive: true })).sort()).toEqual(names);
  for (const name of names.filter((each) => each.includes('.'))) {
    const first = await readFile(join(directory, 'first', name));
    const second = await readFile(join(directory, 'second', name));
    expect(first.equals(second), `${name} is the same`).toBe(true);
  }
});

test('has 200 invoices in files of a few kilobytes, of one or two pages', async () => {
  expect(stored.size).toBe(200);
  const counts = new Set<number>();
  for (const { files } of archive().documents) {
    expect(files).toHaveLength(1);
    const bytes = await readFile(join(dirname(path), files?.[0] ?? ''));
    const count = readPdf(bytes).pages;
    counts.add(count);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(bytes.subarray(-6).toString().trim()).toBe('%%EOF');
    expect(bytes.length).toBeLessThan(count === 1 ? 6_000 : 8_000);
  }
  expect(counts).toEqual(new Set([1, 2]));
});

describe('the definition', () => {
  test('names every index field in every document', () => {
    const names = archive().definition.indexFields.map(({ name }) => name);
    for (const index of stored.values()) expect(Object.keys(index)).toEqual(names);
  });

  test('uses every value type and every keyword field', () => {
    const types = new Set(archive().definition.indexFields.map(({ type }) => type));
    expect([...types].sort()).toEqual(
      ['boolean', 'date', 'datetime', 'decimal', 'integer', 'text'].sort(),
    );
    const used = archive().documents.flatMap(({ keywordFields }) => keywordFields ?? []);
    expect(new Set(used.map(({ name }) => name))).toEqual(new Set(['SUBJECT', 'PROJECT']));
  });

  test('has remarks with both kinds of line break', () => {
    const remarks = [...stored.values()].map(({ REMARK }) => String(REMARK));
    expect(remarks.some((remark) => remark.includes('\r\n'))).toBe(true);
    expect(remarks.some((remark) => /[^\r]\n/.test(remark))).toBe(true);
  });

  test('holds for every supplier, each with another number', () => {
    const [table] = file.tables;
    const columns = table?.definition.columns ?? [];
    const numbers = (table?.datasets ?? []).map((dataset) => {
      for (const [name, raw] of Object.entries(dataset)) {
        const column = columns.find((each) => each.name === name);
        if (column)
          expect(
            parseValue(column, raw),
            `${name} of ${JSON.stringify(dataset['NAME'])}`,
          ).toMatchObject({
            ok: true,
          });
        else expect(name).toBe('jrid');
      }
      return dataset['SUPPLIERNO'];
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
