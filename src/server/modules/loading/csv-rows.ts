import * as texts from '#messages/service/loading.ts';
import { basename, resolve } from 'node:path';
import { parseKeyword, parseKeywordList } from '#shared/values/keywords.ts';
import { NO_LIMITS } from '#shared/rules/limits.ts';
import '#shared/values/pattern-engine.ts';
import { jridSchema, revisionIdSchema } from '#shared/contract/requests.ts';
import { readText, type Notation } from '#shared/values/readings.ts';
import { parseValue } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { matchColumns, type CsvColumns, type CsvMapping } from './csv-columns.ts';
import {
  detectFormat,
  readCsv,
  type CsvFormat,
  type CsvReading,
  type CsvRecord,
} from './csv-file.ts';
import {
  detectNotations,
  notationsOfLocale,
  type DetectedNotations,
} from './csv-format-detection.ts';
import { LoadError } from '../definition-files/load-error.ts';
import type { Pass, LoadedRow, RowProblem, RowSource } from './loaded-row.ts';

/** The rows of a CSV file. */
export class CsvRows implements RowSource {
  readonly name: string;
  /** the format detected from the content of the file */
  readonly remarks: readonly string[];
  readonly #collection: Collection;
  readonly #path: string;
  readonly #directory: string;
  readonly #format: CsvFormat;
  readonly #columns: CsvColumns;
  readonly #notations: ReadonlyMap<number, Notation>;
  #reading: CsvReading | undefined;
  #lacksIds = false;

  private constructor(
    collection: Collection,
    location: { readonly path: string; readonly directory: string },
    format: CsvFormat,
    columns: CsvColumns,
    { notations, remarks }: DetectedNotations,
  ) {
    this.name = nameOf(location.path);
    this.#collection = collection;
    this.#path = location.path;
    this.#directory = location.directory;
    this.#format = format;
    this.#columns = columns;
    this.#notations = notations;
    this.remarks = remarks;
  }

  /**
   * @param directory base of the paths of the CSV file and of the files that it names
   * @throws {LoadError} if the file or a required column is missing, or its values are ambiguous
   */
  static async open(
    collection: Collection,
    directory: string,
    mapping: CsvMapping,
  ): Promise<CsvRows> {
    const path = resolve(directory, mapping.csv);
    const { format: given = {} } = mapping;
    const format = await detectFormat(path, given);
    const { records } = await readCsv(path, format);
    const first = await records.next();
    await records.return(undefined);
    if (first.done) throw new LoadError(texts.csvEmpty(path));
    const columns = matchColumns(collection, mapping, first.value.cells);
    const { locale } = given;
    const found =
      locale === undefined
        ? await detectNotations(collection, columns, nameOf(path), () => recordsBelow(path, format))
        : { notations: notationsOfLocale(locale, collection, columns), remarks: [] };
    const remarks = [...formatRemarks(nameOf(path), given, format), ...found.remarks];
    return new CsvRows(collection, { path, directory }, format, columns, { ...found, remarks });
  }

  get separator(): string {
    return this.#format.separator;
  }
  get columns(): readonly string[] {
    return this.#columns.header;
  }
  get unmatched(): readonly string[] {
    return this.#columns.unmatched;
  }
  get mayHaveIds(): boolean {
    return this.#columns.id !== null;
  }
  get mayLackIds(): boolean {
    return this.#columns.id === null || this.#lacksIds;
  }

  async *rows(pass: Pass): AsyncGenerator<LoadedRow> {
    this.#reading = await readCsv(this.#path, this.#format);
    const { records } = this.#reading;
    await records.next();
    for await (const record of records) {
      const hasId = this.#columns.id !== null && record.cells[this.#columns.id] !== '';
      if (!hasId) this.#lacksIds = true;
      if (hasId === (pass === 'with id')) yield this.#toRow(record);
    }
  }

  fraction(): number {
    return this.#reading?.fraction() ?? 0;
  }

  #toRow({ line, cells }: CsvRecord): LoadedRow {
    const { header, fields, keywords, files } = this.#columns;
    const problems: RowProblem[] = [];
    const row = {
      position: line,
      files: files ? this.#readFiles(cells[files.cell] ?? '', files.separator) : undefined,
      problems,
      cells,
      content: () => contentOf(header, cells),
    };
    if (cells.length !== header.length) {
      const message = texts.rowWidthWrong({
        count: cells.length,
        count2: header.length,
      });
      problems.push({ field: null, message });
      return { ...row, id: null, values: [], keywords: [] };
    }
    const values = Array.from<Scalar | undefined>({
      length: this.#collection.fields.length,
    });
    for (const { fieldIndex, cell } of fields) {
      const field = this.#collection.fields[fieldIndex];
      const raw = cells[cell];
      if (!field || raw === undefined) continue;
      const parsed = this.#readValue(field, raw, cell);
      if (parsed.ok) values[fieldIndex] = parsed.value;
      else problems.push({ field: field.name, message: parsed.message });
    }
    const lists = Array.from<readonly string[] | undefined>({
      length: this.#collection.keywordFields.length,
    });
    for (const { fieldIndex, cell, separator } of keywords) {
      const parsed = readKeywords(cells[cell] ?? '', separator);
      if (parsed.ok) lists[fieldIndex] = parsed.keywords;
      else {
        problems.push({
          field: this.#collection.keywordFields[fieldIndex]?.name ?? null,
          message: parsed.message,
        });
      }
    }
    return { ...row, id: this.#readId(cells, problems), values, keywords: lists };
  }

  #readValue(field: Collection['fields'][number], raw: string, cell: number) {
    const notation = this.#notations.get(cell);
    if (raw === '' || !notation) return parseValue(field, raw === '' ? null : raw);
    const reading = readText(field, raw, notation);
    if (reading.kind === 'value') return { ok: true as const, value: reading.value };
    const message = reading.kind === 'ambiguous' ? texts.valueAmbiguous : reading.message;
    return { ok: false as const, message };
  }

  /** undefined without paths */
  #readFiles(text: string, separator: string | undefined): string[] | undefined {
    const paths = (separator === undefined ? [text] : text.split(separator)).map((path) =>
      path.trim(),
    );
    const named = paths.filter((path) => path !== '');
    return named.length > 0 ? named.map((path) => resolve(this.#directory, path)) : undefined;
  }

  #readId(cells: readonly string[], problems: RowProblem[]): number | null {
    const text = this.#columns.id === null ? '' : (cells[this.#columns.id] ?? '');
    if (text === '') return null;
    const parsed = (this.#collection.kind === 'archive' ? revisionIdSchema : jridSchema).safeParse(
      text,
    );
    if (parsed.success) return parsed.data;
    const message = parsed.error.issues[0]?.message ?? '';
    problems.push({ field: header(this.#columns, this.#columns.id), message });
    return null;
  }
}

/** The name in the ledger, which is the same for a compressed file. */
function nameOf(path: string): string {
  return basename(path).replace(/\.gz$/i, '');
}

async function* recordsBelow(path: string, format: CsvFormat): AsyncGenerator<CsvRecord> {
  const { records } = await readCsv(path, format);
  await records.next();
  yield* records;
}

/** The detected format, if it is not the usual one. */
function formatRemarks(
  name: string,
  given: NonNullable<CsvMapping['format']>,
  { separator, encoding }: CsvFormat,
): string[] {
  const found = {
    separator: given.separator === undefined && separator !== ',' ? separator : null,
    encoding: given.encoding === undefined && encoding !== 'utf-8' ? encoding : null,
  };
  if (found.separator === null && found.encoding === null) return [];
  const readable = found.separator === '\t' ? '\\t' : found.separator;
  return [texts.formatUsed({ name, ...found, separator: readable })];
}

function header(columns: CsvColumns, cell: number | null): string | null {
  return cell === null ? null : (columns.header[cell] ?? null);
}

function readKeywords(cell: string, separator: string | undefined) {
  if (separator === undefined) {
    const parsed = parseKeywordList(cell, NO_LIMITS.keywordValues);
    return parsed.ok ? { ok: true as const, keywords: [...new Set(parsed.keywords)] } : parsed;
  }
  const keywords = new Set<string>();
  for (const part of cell === '' ? [] : cell.split(separator)) {
    const parsed = parseKeyword(part);
    if (!parsed.ok) return parsed;
    for (const keyword of parsed.keywords) keywords.add(keyword);
  }
  return { ok: true as const, keywords: [...keywords] };
}

/** The filled cells with their columns. Independent of the order of columns and of the definition. */
function contentOf(columns: readonly string[], cells: readonly string[]): string {
  const filled = columns.flatMap((column, i) => (cells[i] ? [[column, cells[i]]] : []));
  return JSON.stringify(filled.sort(([a = ''], [b = '']) => (a < b ? -1 : a > b ? 1 : 0)));
}
