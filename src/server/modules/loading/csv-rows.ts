import { basename } from 'node:path';
import { parseKeyword, parseKeywordList } from '#shared/keywords.ts';
import { NO_LIMITS } from '#shared/limits.ts';
import '#shared/pattern-engine.ts';
import { jridSchema, revisionIdSchema } from '#shared/requests.ts';
import { parseValue, type Scalar } from '#shared/values.ts';
import type { Thing } from '#server/db/records/thing.ts';
import { matchColumns, type CsvColumns, type CsvMapping } from './csv-columns.ts';
import { readCsv, type CsvReading, type CsvRecord } from './csv-file.ts';
import { LoadError } from './report.ts';
import type { Pass, Row, RowProblem, RowSource } from './row.ts';

/** The rows of a CSV file. */
export class CsvRows implements RowSource {
  readonly name: string;
  readonly #thing: Thing;
  readonly #path: string;
  readonly #columns: CsvColumns;
  #reading: CsvReading | undefined;
  #lacksIds = false;

  private constructor(thing: Thing, path: string, columns: CsvColumns) {
    // Packed or not, it is the same file to the ledger.
    this.name = basename(path).replace(/\.gz$/i, '');
    this.#thing = thing;
    this.#path = path;
    this.#columns = columns;
  }

  /** @throws {LoadError} where the file or a column that is asked for is not there */
  static async open(thing: Thing, path: string, mapping: CsvMapping): Promise<CsvRows> {
    const { records } = await readCsv(path);
    const first = await records.next();
    await records.return(undefined);
    if (first.done) throw new LoadError(`${path} is empty; its first line must name the columns.`);
    return new CsvRows(thing, path, matchColumns(thing, mapping, first.value.cells));
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

  async *rows(pass: Pass): AsyncGenerator<Row> {
    this.#reading = await readCsv(this.#path);
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

  digest(): string {
    return this.#reading?.digest() ?? '';
  }

  #toRow({ line, cells }: CsvRecord): Row {
    const { header, fields, keywords } = this.#columns;
    const problems: RowProblem[] = [];
    const row = {
      place: line,
      files: undefined,
      problems,
      cells,
      content: () => contentOf(header, cells),
    };
    if (cells.length !== header.length) {
      const message = `The row has ${cells.length} values, the header names ${header.length} columns.`;
      problems.push({ field: null, message });
      return { ...row, id: null, values: [], keywords: [] };
    }
    const values = Array.from<Scalar | undefined>({
      length: this.#thing.fields.length,
    });
    for (const { place, cell } of fields) {
      const field = this.#thing.fields[place];
      const raw = cells[cell];
      if (!field || raw === undefined) continue;
      const parsed = parseValue(field, raw === '' ? null : raw);
      if (parsed.ok) values[place] = parsed.value;
      else problems.push({ field: field.name, message: parsed.message });
    }
    const lists = Array.from<readonly string[] | undefined>({
      length: this.#thing.keywordFields.length,
    });
    for (const { place, cell, separator } of keywords) {
      const parsed = readKeywords(cells[cell] ?? '', separator);
      if (parsed.ok) lists[place] = parsed.keywords;
      else {
        problems.push({
          field: this.#thing.keywordFields[place]?.name ?? null,
          message: parsed.message,
        });
      }
    }
    return { ...row, id: this.#readId(cells, problems), values, keywords: lists };
  }

  #readId(cells: readonly string[], problems: RowProblem[]): number | null {
    const text = this.#columns.id === null ? '' : (cells[this.#columns.id] ?? '');
    if (text === '') return null;
    const parsed = (this.#thing.kind === 'archive' ? revisionIdSchema : jridSchema).safeParse(text);
    if (parsed.success) return parsed.data;
    const message = parsed.error.issues[0]?.message ?? '';
    problems.push({ field: header(this.#columns, this.#columns.id), message });
    return null;
  }
}

function header(columns: CsvColumns, cell: number | null): string | null {
  return cell === null ? null : (columns.header[cell] ?? null);
}

function readKeywords(cell: string, separator: string | null) {
  if (separator === null) {
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

/** Filled cells with their columns: a column more, a new order or a new definition leaves a row the same. */
function contentOf(columns: readonly string[], cells: readonly string[]): string {
  const filled = columns.flatMap((column, i) => (cells[i] ? [[column, cells[i]]] : []));
  return JSON.stringify(filled.sort(([a = ''], [b = '']) => (a < b ? -1 : a > b ? 1 : 0)));
}
