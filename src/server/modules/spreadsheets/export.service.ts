import { Readable } from 'node:stream';
import { apart } from '#server/apart/procedures.ts';
import { givingWay } from '#server/db/giving-way.ts';
import type { Database, Db } from '#server/db/database.ts';
import { readRecords } from '#server/db/records/read-records.ts';
import type { StoredRecord } from '#server/db/records/record.ts';
import type { Thing } from '#server/db/records/thing.ts';
import { ApiError } from '#shared/errors.ts';
import type { ListQuery } from '#shared/lists.ts';
import {
  type Cell,
  headersOf,
  ID_HEADERS,
  toCell,
  toCsvText,
  VERSION_HEADER,
} from '#shared/spreadsheets.ts';
import { DEFAULT_SCALE, type ValueRules } from '#shared/values.ts';

/** The most records of one export; a sheet of XLSX takes 1,048,575 and its header. */
const MAX_RECORDS = 1_000_000;
/** Records that are read at a time. Few, so that other requests find their turn between them. */
const RECORDS_A_STEP = 200;

type SpreadsheetFormat = 'csv' | 'xlsx';

export interface Export {
  readonly format: SpreadsheetFormat;
  /** places of the fields in the definition, in the order of their columns */
  readonly places: readonly number[];
  /** between the values of a CSV file */
  readonly separator: ',' | ';';
  /** whether headers are labels or names */
  readonly headers: 'labels' | 'names';
}

/**
 * Writes what a list matches as a spreadsheet, in the list's order. What matches is decided in the snapshot; each
 * record then stands in the file as it was when its turn came, with that version. One deleted meanwhile is left out.
 * @param db the snapshot
 * @throws {ApiError} 422 naming the count where too many match
 */
export async function exportRecords(
  database: Database,
  db: Db,
  thing: Thing,
  query: ListQuery,
  wanted: Export,
): Promise<Readable> {
  const found = await apart.readIds(db, thing, query, MAX_RECORDS + 1);
  if (found.length > MAX_RECORDS) {
    const count = await apart.countRecords(db, thing, query);
    throw new ApiError(
      'validation_failed',
      `${count} match; at most ${MAX_RECORDS} can be exported at once. Narrow the filter.`,
    );
  }
  const ids = found.map(({ id }) => id);
  const records = recordsOf(database, thing, ids);
  const fields = wanted.places.flatMap((place) => thing.fields[place] ?? []);
  const names = wanted.headers === 'names' ? fields.map(({ name }) => name) : headersOf(fields);
  const headers = [ID_HEADERS[thing.kind], VERSION_HEADER, ...names];
  if (wanted.format === 'csv') return Readable.from(csvOf(records, headers, wanted));
  const columns = headers.map((header, i) => ({ header, ...columnLook(fields[i - 2], header) }));
  const rows = xlsxRows(records, thing, wanted.places);
  const sheet = { name: sheetName(thing), columns, freezePane: { rows: 1 } };
  // Some megabytes, of which a service that exports nothing has no need.
  const { writeXlsxStream } = await import('hucre/xlsx');
  return Readable.from(writeXlsxStream(rows, sheet));
}

async function* recordsOf(
  database: Database,
  thing: Thing,
  ids: readonly number[],
): AsyncGenerator<readonly StoredRecord[]> {
  const giveWay = givingWay();
  for (let at = 0; at < ids.length; at += RECORDS_A_STEP) {
    const begun = performance.now();
    const step = ids.slice(at, at + RECORDS_A_STEP);
    const found = await database.read((db) => readRecords(db, thing, step));
    yield step.flatMap((id) => found.get(id) ?? []);
    await giveWay(performance.now() - begun);
  }
}

async function* csvOf(
  steps: AsyncIterable<readonly StoredRecord[]>,
  headers: readonly string[],
  { places, separator }: Export,
): AsyncGenerator<Buffer> {
  const special = separator === ';' ? /[";\r\n]/ : /[",\r\n]/;
  const quoted = (text: string) => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const line = (texts: readonly string[]) => `${texts.map(quoted).join(separator)}\r\n`;
  // The mark tells Excel that it is UTF-8.
  yield Buffer.from(`\ufeff${line(headers.map(toCsvText))}`);
  for await (const records of steps) {
    const lines = records.map(({ id, version, values }) =>
      line([
        String(id),
        String(version),
        ...places.map((place) => toCsvText(values[place] ?? null)),
      ]),
    );
    yield Buffer.from(lines.join(''));
  }
}

async function* xlsxRows(
  steps: AsyncIterable<readonly StoredRecord[]>,
  { fields }: Thing,
  places: readonly number[],
): AsyncGenerator<Cell[]> {
  for await (const records of steps) {
    for (const { id, version, values } of records) {
      yield [
        id,
        version,
        ...places.map((place) => {
          const field = fields[place];
          return field ? toCell(field, values[place] ?? null) : null;
        }),
      ];
    }
  }
}

/** Cells of text columns are marked as text, so that what is typed there keeps its leading zeros. */
function columnLook(field: ValueRules | undefined, header: string) {
  const width = Math.min(40, Math.max(12, header.length + 2));
  switch (field?.type) {
    case 'text':
      return { width: Math.max(width, 24), numFmt: '@' };
    case 'datetime':
      return { width: 28, numFmt: '@' };
    case 'date':
      return { width, numFmt: 'yyyy-mm-dd' };
    case 'integer':
      return { width, numFmt: '0' };
    case 'decimal': {
      const scale = field.scale ?? DEFAULT_SCALE;
      return {
        width,
        numFmt:
          scale === 0
            ? '0'
            : `0.${'0'.repeat(Math.min(scale, 2))}${'#'.repeat(Math.max(scale - 2, 0))}`,
      };
    }
    default:
      return { width };
  }
}

/** Excel refuses some characters in the name of a sheet, and more than 31. */
function sheetName({ name }: Thing): string {
  return name.slice(0, 31);
}
