import { keywordFieldName } from '#shared/rules/names.ts';
import * as texts from '#messages/service/spreadsheets.ts';
import { Readable } from 'node:stream';
import { countRecordsInWorker, readIdsInWorker } from '../records/records.reads.ts';
import { createCooperativeYield } from '#server/database/cooperative-yield.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { joinList } from '#shared/rules/comma-list.ts';
import type { ListQuery } from '#shared/rules/lists.ts';
import {
  headersOf,
  ID_HEADERS,
  keywordHeadersOf,
  VERSION_HEADER,
} from '#shared/rules/spreadsheet-headers.ts';
import { type Cell, csvLine, toCell, toCsvText } from '#shared/rules/spreadsheets.ts';
import { valueType } from '#shared/values/registry.ts';
import { TYPE_ONLY_RULES, type ValueRules } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';

/** The maximum of one export; an XLSX sheet has room for 1,048,575 rows and its header. */
const MAX_RECORDS = 1_000_000;
/** Records that are read together; few, so that other requests run between the reads. */
const RECORDS_A_STEP = 200;

type SpreadsheetFormat = 'csv' | 'xlsx';

/** A column of an export, besides the id and the version. */
export interface ExportColumn {
  /** of the field */
  readonly name: string;
  readonly header: string;
  readonly rules: ValueRules;
  readonly valueIn: (record: StoredRecord) => Scalar;
}

export interface Export {
  readonly format: SpreadsheetFormat;
  readonly columns: readonly ExportColumn[];
  /** between the values of a CSV file */
  readonly separator: ',' | ';';
}

/**
 * All that can be columns of an export: the fields in the order of the definition, then the keyword fields. The values
 * of one keyword field are in one cell, as `joinList` writes them.
 */
export function exportable(
  { fields, keywordFields }: Collection,
  headers: 'labels' | 'names',
): ExportColumn[] {
  const labels = headersOf(fields);
  const keywordLabels = keywordHeadersOf(keywordFields, fields);
  return [
    ...fields.map((field, index) => ({
      name: field.name,
      header: headers === 'names' ? field.name : (labels[index] ?? field.name),
      rules: field,
      valueIn: ({ values }: StoredRecord) => values[index] ?? null,
    })),
    ...keywordFields.map((field, index) => {
      const name = keywordFieldName(field.name);
      return {
        name,
        header: (headers === 'labels' && keywordLabels[index]) || name,
        rules: KEYWORDS,
        valueIn: ({ keywords }: StoredRecord) => {
          const values = keywords[index] ?? [];
          return values.length === 0 ? null : joinList(values);
        },
      };
    }),
  ];
}

const KEYWORDS: ValueRules = { ...TYPE_ONLY_RULES, type: 'text', scale: null };

/**
 * Finds the matches of a list, and writes them as a spreadsheet, in list order. The snapshot determines the matches; each
 * record is then written in its state and version when it is read. One deleted in the meantime is left out.
 * @param db the snapshot
 * @returns writes them
 * @throws {ApiError} 422 naming the count if too many match
 */
export async function exportRecords(
  db: Transaction,
  collection: Collection,
  query: ListQuery,
  wanted: Export,
): Promise<(database: Database) => Promise<Readable>> {
  const found = await readIdsInWorker(db, collection, query, MAX_RECORDS + 1);
  if (found.length > MAX_RECORDS) {
    const count = await countRecordsInWorker(db, collection, query);
    throw new ApiError('validation_failed', texts.tooManyToExport({ count, max: MAX_RECORDS }));
  }
  const ids = found.map(({ id }) => id);
  return (database) => writeRecords(recordsOf(database, collection, ids), collection, wanted);
}

async function writeRecords(
  records: AsyncIterable<readonly StoredRecord[]>,
  collection: Collection,
  wanted: Export,
): Promise<Readable> {
  const idColumns = [ID_HEADERS[collection.kind], VERSION_HEADER];
  const headers = [...idColumns, ...wanted.columns.map(({ header }) => header)];
  if (wanted.format === 'csv') return Readable.from(csvOf(records, headers, wanted));
  const columns = headers.map((header, i) => ({
    header,
    ...columnStyle(wanted.columns[i - idColumns.length]?.rules, header),
  }));
  const rows = xlsxRows(records, wanted.columns);
  // Excel allows 31 characters in the name of a sheet.
  const sheet = { name: collection.name.slice(0, 31), columns, freezePane: { rows: 1 } };
  // Imported on demand: it takes some megabytes.
  const { writeXlsxStream } = await import('hucre/xlsx');
  return Readable.from(writeXlsxStream(rows, sheet));
}

async function* recordsOf(
  database: Database,
  collection: Collection,
  ids: readonly number[],
): AsyncGenerator<readonly StoredRecord[]> {
  const yieldToOthers = createCooperativeYield();
  for (let at = 0; at < ids.length; at += RECORDS_A_STEP) {
    const started = performance.now();
    const step = ids.slice(at, at + RECORDS_A_STEP);
    const found = await database.read((db) => readRecords(db, collection, step));
    yield step.flatMap((id) => found.get(id) ?? []);
    await yieldToOthers(performance.now() - started);
  }
}

async function* csvOf(
  steps: AsyncIterable<readonly StoredRecord[]>,
  headers: readonly string[],
  { columns, separator }: Export,
): AsyncGenerator<Buffer> {
  const line = (texts: readonly string[]) => `${csvLine(texts, separator)}\r\n`;
  // Excel needs the byte order mark to read UTF-8.
  yield Buffer.from(`\ufeff${line(headers.map(toCsvText))}`);
  for await (const records of steps) {
    const lines = records.map((record) =>
      line([
        String(record.id),
        String(record.version),
        ...columns.map(({ valueIn }) => toCsvText(valueIn(record))),
      ]),
    );
    yield Buffer.from(lines.join(''));
  }
}

async function* xlsxRows(
  steps: AsyncIterable<readonly StoredRecord[]>,
  columns: readonly ExportColumn[],
): AsyncGenerator<Cell[]> {
  for await (const records of steps) {
    for (const record of records) {
      const cells = columns.map(({ rules, valueIn }) => toCell(rules, valueIn(record)));
      yield [record.id, record.version, ...cells];
    }
  }
}

function columnStyle(field: ValueRules | undefined, header: string) {
  const width = Math.min(40, Math.max(12, header.length + 2));
  if (!field) return { width };
  const { sheet } = valueType(field.type);
  const numFmt = sheet.format?.(field.scale);
  return { width: Math.max(width, sheet.width ?? 0), ...(numFmt === undefined ? {} : { numFmt }) };
}
