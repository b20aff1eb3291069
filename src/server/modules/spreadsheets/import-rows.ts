import * as texts from '#messages/service/spreadsheets.ts';
import * as rowTexts from '#messages/service/import-rows.ts';
import * as valueTexts from '#messages/values.ts';
import type { Message, MessagesByPath } from '#shared/messages/message.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { fieldProblem } from '#shared/rules/bulk-edits.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { etagOf } from '#shared/contract/etags.ts';
import type { ImportColumn } from '#shared/contract/imports.ts';
import type { Notation } from '#shared/values/readings.ts';
import { type Cell, type CellReading, readCell } from '#shared/rules/spreadsheets.ts';
import { type AliasesByField, correctValues } from '../value-aliases/value-aliases.ts';
import { sameList } from '../history/history.service.ts';
import { type ImportedFile, readBelowHeaders } from './below-headers.ts';
import { truncate } from '#shared/values/truncate.ts';
import { cellText } from './cell-text.ts';
import { readKeywordCell } from './keyword-cell.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { indexOfName, keywordFieldName } from '#shared/rules/names.ts';
import {
  isAddedHeader,
  type CurrentValues,
  type RowProblem,
  type RowReading,
  type RowToPlan,
} from '../bulk-edits/bulk-edits.service.ts';
import { inspectSheet } from './inspect.service.ts';

/** The rows, with aliases replaced by their correct values (`value-aliases.ts`). */
export async function* withoutAliases(
  collection: Collection,
  aliases: AliasesByField,
  rows: AsyncIterable<RowToPlan> | Iterable<RowToPlan>,
): AsyncGenerator<RowToPlan> {
  for await (const row of rows) {
    yield {
      ...row,
      read(current) {
        const reading = row.read(current);
        return {
          ...reading,
          ...correctValues(collection, aliases, reading, current),
        };
      },
    };
  }
}

/** The longest header that is stored of a refused row, as long as the label of a field may be. */
const MAX_HEADER = 200;
/** Cells of rows with a longer one are not stored when they are refused: corrected and sent again they would lose a part of it. */
const MAX_CELL = 10_000;

/** The largest number of a row in an earlier file. */
const MAX_LINE = 2 ** 31 - 1;

/** One column that changes a field. */
interface Corrected {
  readonly at: number;
  readonly fieldIndex: number;
  readonly notation: Notation;
}

/** The cells of the fields in each row. */
export interface Layout {
  readonly id: number | null;
  /** the column with the numbers of the rows in an earlier file */
  readonly line: number | null;
  readonly version: number | null;
  readonly fields: readonly Corrected[];
  readonly keywords: readonly { readonly at: number; readonly fieldIndex: number }[];
}

/**
 * Determines the layout of an imported spreadsheet.
 * @param columns the meaning of its columns, in their order; null: by their headers
 * @throws {ApiError} 422 under `files.0` or `columns.N` if it cannot be read, changes no field or contains unresolved
 * ambiguous values
 */
export async function readLayout(
  collection: Collection,
  file: ImportedFile,
  columns: readonly ImportColumn[] | null,
): Promise<Layout> {
  return layoutOf(collection, columns ?? (await detectLayout(collection, file)));
}

/**
 * Reads the rows of an imported spreadsheet. Empty rows are left out, also those that only have what the
 * file of refused rows adds: such a row has lost its cells.
 * @throws {ApiError} 422 under `files.0` if it cannot be read
 */
export async function* importRows(
  collection: Collection,
  file: ImportedFile,
  layout: Layout,
): AsyncGenerator<RowToPlan> {
  const fieldIndexes = new Set(layout.fields.map(({ fieldIndex }) => fieldIndex));
  const gives = (fieldIndex: number) => fieldIndexes.has(fieldIndex);
  const { id, line: lineColumn, version, fields, keywords } = layout;
  const names = namesByColumn(collection, layout);
  const mapped = new Set([id, ...[...fields, ...keywords].map(({ at }) => at)]);
  const mappedWidth = Math.max(...[...mapped].map((at) => (at ?? 0) + 1));
  let last = 0;
  for await (const { headers: named, line: own, cells, isText } of readBelowHeaders(file)) {
    const unnamed = Array.from({ length: mappedWidth - named.length }, () => '');
    const headers = [...named, ...unnamed];
    const isEmpty = cells.every(
      (cell, at) =>
        !isFilled(cell) ||
        at === lineColumn ||
        (!mapped.has(at) && isAddedHeader(headers[at] ?? '')),
    );
    if (isEmpty) continue;
    const given = lineColumn === null ? null : idIn(cells[lineColumn] ?? null);
    // Rows are known by their numbers, which therefore rise.
    const isGiven = given !== null && given > last && given <= MAX_LINE;
    const line = isGiven ? given : Math.max(own, last + 1);
    last = line;
    const cell = id === null ? null : (cells[id] ?? null);
    const values = cells.length;
    // A row that is cut off, or in which a line break or separator is not quoted, has values in wrong columns.
    const isLong = isText && cells.slice(headers.length).some(isFilled);
    const isShort = isText && values < named.length;
    const problem = isLong
      ? rowTexts.rowTooLong({ values, columns: headers.length })
      : isShort
        ? rowTexts.rowTooShort({ values, columns: named.length })
        : null;
    yield {
      line,
      id: idIn(cell),
      named: isFilled(cell),
      ifMatch: version === null ? null : tagIn(cells[version] ?? null),
      characters: charactersIn(cells),
      read: (current) =>
        problem === null
          ? readRow(collection, layout, cells, current)
          : {
              values: new Map(),
              keywords: new Map(),
              problems: [{ field: null, inWords: problem }],
            },
      gives,
      refused(messages) {
        const shown = headers.map((_, at) => cellText(cells[at] ?? null));
        if (isLong || shown.some(({ length }) => length > MAX_CELL)) return { line, cells: [] };
        return {
          line,
          cells: shown.flatMap((text, at) => {
            if (at === lineColumn) return [];
            const field = names.get(at) ?? null;
            const isMissing = isShort && at >= values;
            return {
              header: truncate(headers[at] ?? '', MAX_HEADER),
              text: text.toWellFormed(),
              field,
              message: isMissing ? rowTexts.valueMissing : messages.get(field ?? ''),
            };
          }),
        };
      },
    };
  }
}

function isFilled(cell: Cell): boolean {
  return cell !== null && cell !== '';
}

/** The characters of the texts among cells. */
export function charactersIn(cells: readonly unknown[]): number {
  let sum = 0;
  for (const cell of cells) if (typeof cell === 'string') sum += cell.length;
  return sum;
}

/** The names of the fields that columns are mapped to, of keyword fields `keyword.NAME`, by the position of the column. */
function namesByColumn(
  collection: Collection,
  { fields, keywords }: Layout,
): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const { at, fieldIndex } of fields) {
    const field = collection.fields[fieldIndex];
    if (field) names.set(at, field.name);
  }
  for (const { at, fieldIndex } of keywords) {
    const field = collection.keywordFields[fieldIndex];
    if (field) names.set(at, keywordFieldName(field.name));
  }
  return names;
}

/** The meaning by the headers, with the formats that the cells show. */
async function detectLayout(collection: Collection, file: ImportedFile): Promise<ImportColumn[]> {
  const { columns } = await inspectSheet(collection, file, null);
  const errors: MessagesByPath = {};
  for (const [i, { question }] of columns.entries()) {
    if (!question) continue;
    errors[`columns.${i}`] = [texts.unclear({ example: question.example })];
  }
  if (Object.keys(errors).length > 0) throw new ApiError('validation_failed', errors);
  return columns.map(({ column }) => column);
}

function layoutOf(collection: Collection, columns: readonly ImportColumn[]): Layout {
  const id = columns.findIndex(({ as }) => as === 'id');
  const line = columns.findIndex(({ as }) => as === 'line');
  const version = columns.findIndex(({ as }) => as === 'version');
  const fields = columns.flatMap((column, at): Corrected[] => {
    if (column.as !== 'field') return [];
    const fieldIndex = indexOfName(collection.fields, column.field);
    const { decimal, order } = column;
    return fieldIndex < 0 ? [] : [{ at, fieldIndex, notation: { decimal, order } }];
  });
  const keywords = columns.flatMap((column, at) => {
    if (column.as !== 'keyword') return [];
    const fieldIndex = indexOfName(collection.keywordFields, column.keyword);
    return fieldIndex < 0 ? [] : [{ at, fieldIndex }];
  });
  if (fields.length === 0 && keywords.length === 0) {
    throw new ApiError('validation_failed', { 'files.0': [texts.nothingMapped] });
  }
  const positionOf = (at: number) => (at < 0 ? null : at);
  return {
    id: positionOf(id),
    line: positionOf(line),
    version: positionOf(version),
    fields,
    keywords,
  };
}

function idIn(cell: Cell): number | null {
  const text =
    typeof cell === 'number' ? String(cell) : typeof cell === 'string' ? cell.trim() : '';
  const id = /^(?:0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : null;
  return id !== null && Number.isSafeInteger(id) ? id : null;
}

/** An invalid version becomes a tag that no record has. */
function tagIn(cell: Cell): string {
  const version = idIn(cell);
  return version === null ? '"-"' : etagOf(version);
}

function readRow(
  collection: Collection,
  { fields, keywords: keywordColumns }: Layout,
  cells: readonly Cell[],
  current: CurrentValues,
): RowReading {
  const values = new Map<number, Scalar>();
  const keywords = new Map<number, readonly string[]>();
  const problems: RowProblem[] = [];
  for (const { at, fieldIndex, notation } of fields) {
    const field = collection.fields[fieldIndex];
    if (!field) continue;
    const cell = cells[at] ?? null;
    const reading = readCell(field, cell, current.values[fieldIndex] ?? null, notation);
    if (reading.kind === 'value') values.set(fieldIndex, reading.value);
    else if (reading.kind !== 'unchanged') {
      problems.push(fieldProblem(field, cellText(cell), problemOf(reading, notation)));
    }
  }
  for (const { at, fieldIndex } of keywordColumns) {
    const field = collection.keywordFields[fieldIndex];
    if (!field) continue;
    const text = cellText(cells[at] ?? null);
    const before = current.keywords[fieldIndex] ?? [];
    const reading = readKeywordCell(text, before, collection.limits.keywordValues);
    if (!reading.ok) {
      const problem = fieldProblem(field, text, reading.message);
      problems.push({ ...problem, field: keywordFieldName(field.name) });
    } else if (!sameList(reading.keywords, before)) keywords.set(fieldIndex, reading.keywords);
  }
  return { values, keywords, problems };
}

/** Why the text of a cell is not a valid value, or has several meanings. */
export function problemOf(
  reading: Exclude<CellReading, { kind: 'value' | 'unchanged' }>,
  notation: Notation,
): string {
  return reading.kind === 'unreadable' ? messageInNotation(reading, notation) : rowTexts.ambiguous;
}

const DATE_FORMS = { dmy: 'DD.MM.YYYY', mdy: 'MM/DD/YYYY', ymd: 'YYYY-MM-DD' } as const;

/** The text of a message with the notation of the file instead of the form of the interface. */
export function messageInNotation(
  { code, message }: Message,
  { decimal, order }: Notation,
): string {
  const day = DATE_FORMS[order ?? 'ymd'];
  if (code === valueTexts.notADate.code) return valueTexts.notADate({ form: day }).message;
  if (code === valueTexts.notADatetime.code && order !== null) {
    return valueTexts.notADatetime({ form: `${day} HH:mm` }).message;
  }
  if (code === valueTexts.notADecimalNumber.code && decimal === ',') {
    return valueTexts.notADecimalNumberWithComma;
  }
  return message;
}
