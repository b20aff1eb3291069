import type { Collection } from '#server/database/records/collection.ts';
import { problemInWords } from '#shared/rules/bulk-edits.ts';
import { ApiError, type MessagesByPath } from '#shared/contract/errors.ts';
import { etagOf } from '#shared/contract/etags.ts';
import type { ImportColumn } from '#shared/contract/imports.ts';
import type { Habits } from '#shared/values/readings.ts';
import { type Cell, dateCellText, readCell } from '#shared/rules/spreadsheets.ts';
import type { Scalar } from '#shared/values/values.ts';
import { indexOfName } from '#shared/rules/names.ts';
import { type ImportedFile, inspectSheet } from './inspect.service.ts';
import { readSheet } from './sheet.ts';

/** A row of an imported spreadsheet or of a paste. */
export interface ImportRow {
  /** of the sheet or paste, from 1 */
  readonly line: number;
  /** null: none in the row */
  readonly id: number | null;
  /** whether the cell of the id is filled */
  readonly named: boolean;
  /** the entity tag of the exported version; null: not in the file */
  readonly ifMatch: string | null;
  /** The changes that the row makes to a record with these values. */
  readonly read: (current: readonly Scalar[]) => RowReading;
  /** Whether a new record takes the row's value of the field at a position of the definition, not the default. */
  readonly gives: (place: number) => boolean;
}

export interface RowReading {
  /** the values that differ, by their position in the definition */
  readonly values: ReadonlyMap<number, Scalar>;
  /** the errors, as sentences that name the field */
  readonly problems: readonly string[];
}

/** One column that changes a field. */
interface Corrected {
  readonly at: number;
  readonly place: number;
  readonly habits: Habits;
}

/** The cells of the fields in each row. */
export interface Layout {
  readonly id: number | null;
  readonly version: number | null;
  readonly fields: readonly Corrected[];
}

/**
 * Determines the layout of an imported spreadsheet.
 * @param columns the meaning of its columns, in their order; null: by their headers
 * @throws {ApiError} 422 under `files.0` or `columns.N` if it cannot be read, corrects no field or holds what
 * can be read in several ways and nobody has decided
 */
export async function readLayout(
  collection: Collection,
  file: ImportedFile,
  columns: readonly ImportColumn[] | null,
): Promise<Layout> {
  return layoutOf(collection, columns ?? (await decide(collection, file)));
}

/**
 * Reads the rows of an imported spreadsheet.
 * @throws {ApiError} 422 under `files.0` if it cannot be read
 */
export async function* importRows(
  collection: Collection,
  file: ImportedFile,
  layout: Layout,
): AsyncGenerator<ImportRow> {
  let headers = true;
  const places = new Set(layout.fields.map(({ place }) => place));
  const gives = (place: number) => places.has(place);
  for await (const { line, cells } of readSheet(file.path)) {
    if (headers) {
      headers = false;
      continue;
    }
    const { id, version, fields } = layout;
    const cell = id === null ? null : (cells[id] ?? null);
    yield {
      line,
      id: idIn(cell),
      named: cell !== null && cell !== '',
      ifMatch: version === null ? null : tagIn(cells[version] ?? null),
      read: (current) => readRow(collection, fields, cells, current),
      gives,
    };
  }
}

/** The meaning by the headers, with the formats that the cells show. */
async function decide(collection: Collection, file: ImportedFile): Promise<ImportColumn[]> {
  const { columns } = await inspectSheet(collection, file, null);
  const errors: MessagesByPath = {};
  for (const [i, { question }] of columns.entries()) {
    if (!question) continue;
    errors[`columns.${i}`] = [
      `It is not clear how “${question.example}” is meant; say it with columns.`,
    ];
  }
  if (Object.keys(errors).length > 0) throw new ApiError('validation_failed', errors);
  return columns.map(({ column }) => column);
}

function layoutOf(collection: Collection, columns: readonly ImportColumn[]): Layout {
  const id = columns.findIndex(({ as }) => as === 'id');
  const version = columns.findIndex(({ as }) => as === 'version');
  const fields = columns.flatMap((column, at): Corrected[] => {
    if (column.as !== 'field') return [];
    const place = indexOfName(collection.fields, column.field);
    const { decimal, order } = column;
    return place < 0 ? [] : [{ at, place, habits: { decimal, order } }];
  });
  if (fields.length === 0) {
    throw new ApiError('validation_failed', {
      'files.0': ['No column of the file stands for a field.'],
    });
  }
  return { id: id < 0 ? null : id, version: version < 0 ? null : version, fields };
}

/** The text of a cell in messages. */
function textOf(cell: Cell): string | null {
  if (cell === null) return null;
  return cell instanceof Date ? dateCellText(cell) : String(cell);
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
  fields: readonly Corrected[],
  cells: readonly Cell[],
  current: readonly Scalar[],
): RowReading {
  const values = new Map<number, Scalar>();
  const problems: string[] = [];
  for (const { at, place, habits } of fields) {
    const field = collection.fields[place];
    if (!field) continue;
    const reading = readCell(field, cells[at] ?? null, current[place] ?? null, habits);
    if (reading.kind === 'value') values.set(place, reading.value);
    else if (reading.kind === 'unreadable') {
      const message = inFormOfFile(reading.message, habits);
      problems.push(problemInWords(field, textOf(cells[at] ?? null), message));
    } else if (reading.kind === 'ambiguous') {
      const text = textOf(cells[at] ?? null);
      problems.push(problemInWords(field, text, 'The value can be read in several ways.'));
    }
  }
  return { values, problems };
}

const DAYS = { dmy: 'DD.MM.YYYY', mdy: 'MM/DD/YYYY', ymd: 'YYYY-MM-DD' } as const;

/** Replaces the form of the interface in a message by the form of the file. */
export function inFormOfFile(message: string, { decimal, order }: Habits): string {
  const day = DAYS[order ?? 'ymd'];
  return message
    .replace('YYYY-MM-DDTHH:mm:ss+hh:mm', order === null ? '$&' : `${day} HH:mm`)
    .replace(/YYYY-MM-DD(?!T)/, day)
    .replace('with a point before', decimal === ',' ? 'with a comma before' : '$&');
}
