import * as texts from '#messages/service/file-analysis.ts';
import { ApiError } from '#shared/contract/errors.ts';
import {
  type AnalysedColumn,
  type ColumnOverrides,
  NO_HEADER,
  type SheetAnalysis,
} from '#shared/contract/file-analysis.ts';
import { nameFor, uniqueName } from '#shared/rules/proposed-names.ts';
import type { Cell } from '#shared/rules/spreadsheets.ts';
import { type Notation, notationOf } from '#shared/values/readings.ts';
import { valueType } from '#shared/values/registry.ts';
import { cellText } from '../spreadsheets/cell-text.ts';
import { truncate } from '#shared/values/truncate.ts';
import type { SheetFormat } from '../spreadsheets/sheet-worker.ts';
import { readSheet, type SheetRow } from '../spreadsheets/sheet.ts';
import { ColumnContents } from './column-contents.ts';
import { ColumnFormats } from './column-formats.ts';
import { guessLocale } from './guess-locale.ts';
import { guessHeader, HEADER_SEARCH } from './header-row.ts';
import { proposeDefinitions } from './propose-definitions.ts';
import { labelFor } from './proposed-labels.ts';

/** The file to analyse, and the detected properties that the user has replaced; null properties are detected. */
export interface AnalysisRequest {
  readonly file: { readonly path: string; readonly name: string };
  readonly separator: string | null;
  readonly encoding: string | null;
  /** a line from 1, or `NO_HEADER` */
  readonly header: number | null;
  /** a BCP 47 tag */
  readonly locale: string | null;
  /** by the position of the column */
  readonly columns: readonly ColumnOverrides[];
  /** how many of the first rows the answer holds */
  readonly rows: number;
}

const CELL_LENGTH = 500;
const EXAMPLE_LENGTH = 80;

/** How a column is parsed, before its contents are known. */
interface ColumnReading {
  readonly header: string;
  readonly overrides: ColumnOverrides;
  readonly type: AnalysedColumn['type'];
  readonly notation: Notation;
  readonly question: AnalysedColumn['question'];
  readonly isEmpty: boolean;
}

/**
 * Detects the format and the fields of a spreadsheet. Reads it twice: for the types and formats of the columns, then
 * for their contents.
 * @throws {ApiError} 422 under `files.0` if it cannot be read or has no rows
 */
export async function analyseSheet(request: AnalysisRequest): Promise<SheetAnalysis> {
  const { format, header, headers, formats } = await readFormats(request);
  const locale = request.locale ?? guessLocale(notationsOfAll(formats));
  const columns = headers.map((text, at) =>
    readingOf(text, formats[at] ?? new ColumnFormats(), request.columns[at] ?? {}, {
      given: request.locale,
      found: locale,
    }),
  );
  const contents = columns.map(
    ({ type, notation, overrides }) => new ColumnContents(type, notation, overrides),
  );
  const records: SheetAnalysis['records'] = [];
  let rows = 0;
  for await (const { line, cells } of rowsBelow(request, header)) {
    rows += 1;
    const values = contents.map((content, at) => content.add(cells[at] ?? null));
    if (records.length >= request.rows) continue;
    const shown = columns.map((_, at) => truncate(cellText(cells[at] ?? null), CELL_LENGTH));
    records.push({ line, cells: shown, values });
  }
  if (rows === 0) throw new ApiError('validation_failed', { 'files.0': [texts.noRows] });
  const names = new Set<string>();
  const identifier = contents.findIndex(
    ({ isIdentifier, filled }) => isIdentifier && filled === rows,
  );
  const analysed = columns.map((column, at) =>
    describe(column, contents[at], rows, {
      number: at + 1,
      names,
      isIdentifier: at === identifier,
    }),
  );
  return {
    kind: 'sheet',
    name: request.file.name,
    format: { ...format, header, locale },
    rows,
    columns: analysed,
    records,
    proposed: proposeDefinitions(request.file.name, analysed),
  };
}

async function readFormats(request: AnalysisRequest) {
  let format: SheetFormat = { type: 'csv', separator: null, encoding: null };
  let { header } = request;
  let headers: string[] | null = null;
  const formats: ColumnFormats[] = [];
  const start: SheetRow[] = [];
  const add = (cells: readonly Cell[]) => {
    for (const [at, cell] of cells.entries()) (formats[at] ??= new ColumnFormats()).add(cell);
  };
  const addStart = (isWholeFile: boolean) => {
    header ??= guessHeader(start, isWholeFile);
    const row = header === NO_HEADER ? undefined : start.find(({ line }) => line >= (header ?? 0));
    headers = (row?.cells ?? []).map(cellText);
    for (const { line, cells } of start) if (!row || line > row.line) add(cells);
  };
  const rows = readSheet(request.file.path, {
    separator: request.separator ?? undefined,
    encoding: request.encoding ?? undefined,
  });
  for await (const row of rows) {
    format = row.format;
    if (headers) add(row.cells);
    else if (start.push(row) >= Math.max(HEADER_SEARCH, header ?? 0)) addStart(false);
  }
  if (!headers) addStart(true);
  const width = Math.max(formats.length, (headers ?? []).length);
  return {
    format,
    header: header ?? NO_HEADER,
    headers: Array.from({ length: width }, (_, at) => headers?.[at] ?? ''),
    formats,
  };
}

async function* rowsBelow(
  { file, separator, encoding }: AnalysisRequest,
  header: number,
): AsyncGenerator<SheetRow> {
  const rows = readSheet(file.path, {
    separator: separator ?? undefined,
    encoding: encoding ?? undefined,
  });
  for await (const row of rows) if (row.line > header) yield row;
}

function notationsOfAll(formats: readonly ColumnFormats[]): Notation[] {
  return formats.flatMap((column) => (column.type ? [column.notationOf(column.type)] : []));
}

/** The type of a column and its notation: as set by the user, as shown by its cells, or as in the other columns. */
function readingOf(
  header: string,
  formats: ColumnFormats,
  overrides: ColumnOverrides,
  locale: { readonly given: string | null; readonly found: string | null },
): ColumnReading {
  const type = overrides.type ?? formats.type ?? 'text';
  const own = locale.given === null ? formats.notationOf(type) : notationOf(locale.given);
  const usual = locale.found === null ? own : notationOf(locale.found);
  const notation = {
    ...own,
    decimal: overrides.decimal ?? own.decimal ?? usual.decimal,
    order: overrides.order ?? own.order ?? usual.order,
  };
  const open = locale.given === null ? formats.questionOf(type) : null;
  const question = open && (overrides[open.about] ?? null) === null ? open : null;
  return { header, overrides, type, notation, question, isEmpty: formats.type === null };
}

function describe(
  { header, overrides, type, notation, question, isEmpty }: ColumnReading,
  contents: ColumnContents | undefined,
  rows: number,
  column: {
    readonly number: number;
    readonly names: Set<string>;
    /** whether it is the first column that identifies the rows */
    readonly isIdentifier: boolean;
  },
): AnalysedColumn {
  if (!contents) throw new Error('A column without contents');
  const fallback = texts.unnamedColumn(column.number);
  const isProposed = !isEmpty || header.trim() !== '';
  const wanted = overrides.name ?? nameFor(header, `COLUMN_${column.number}`);
  const { misfits, problem, examples } = contents;
  const isOf = (part: 'decimal' | 'order') => valueType(type).notationPart === part;
  return {
    header: truncate(header, CELL_LENGTH),
    name: isProposed ? uniqueName(wanted, column.names) : null,
    label: overrides.label ?? labelFor(header, fallback),
    type,
    required: overrides.required ?? contents.filled === rows,
    unique: overrides.unique ?? column.isIdentifier,
    maxLength: overrides.maxLength === undefined ? contents.maxLength : overrides.maxLength,
    scale: overrides.scale === undefined ? contents.scale : overrides.scale,
    options: overrides.options === undefined ? contents.options : overrides.options,
    decimal: isOf('decimal') ? notation.decimal : null,
    order: isOf('order') ? notation.order : null,
    question,
    filled: contents.filled,
    misfits:
      problem === null
        ? null
        : {
            count: misfits,
            examples: [...examples].map((text) => truncate(text, EXAMPLE_LENGTH)),
            message: problem,
          },
  };
}
