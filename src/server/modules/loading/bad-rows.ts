import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { parse, resolve } from 'node:path';
import { csvLine } from '#shared/spreadsheets.ts';
import { counted, LoadError, MOST_SHOWN } from './report.ts';
import type { Row, RowProblem, RowSource } from './row.ts';

/**
 * The bad rows of one archive or table: the first are told, the rest counted; where they may be skipped, all
 * are written to a CSV file of the original columns, `error` and `line`.
 */
export class BadRows {
  readonly #collection: string;
  /** null: bad rows are not skipped */
  readonly #path: string | null;
  readonly #told: string[] = [];
  /** a file per source: their columns differ */
  readonly #files = new Map<RowSource, { readonly path: string; readonly file: FileHandle }>();
  #count = 0;

  constructor(collection: string, path: string | null) {
    this.#collection = collection;
    this.#path = path;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether nothing more is to be stored: the archive or table will not be loaded. */
  get hopeless(): boolean {
    return this.#count > 0 && this.#path === null;
  }

  /** The first bad rows, a line each, and how many more there are. */
  get lines(): readonly string[] {
    const more = this.#count - this.#told.length;
    return more > 0
      ? [
          ...this.#told,
          `${this.#collection}: ${counted(more, 'further bad row', 'further bad rows')}.`,
        ]
      : this.#told;
  }

  async add(source: RowSource, row: Row, problems: readonly RowProblem[]): Promise<void> {
    this.#count += 1;
    const said = problems.map(({ field, message }) => (field ? `${field}: ${message}` : message));
    if (this.#told.length < MOST_SHOWN) {
      this.#told.push(
        `${this.#collection}, ${source.name}, ${nameOfPlace(row)}: ${said.join(' ')}`,
      );
    }
    if (this.#path === null) return;
    // Rows that are too short must not push the error into a column of theirs.
    const width = Math.max(source.columns.length, row.cells.length);
    const cells = Array.from({ length: width }, (_, i) => row.cells[i] ?? '');
    const line = Math.abs(row.place);
    const file = await this.#open(source, this.#path);
    await file.appendFile(
      `${csvLine([...cells, said.join(' '), String(line)], source.separator)}\n`,
    );
  }

  /** Leaves the files where they are meant to be. @returns their paths */
  async keep(): Promise<string[]> {
    const kept: string[] = [];
    for (const [source, { path, file }] of this.#files) {
      await file.sync();
      await file.close();
      this.#files.delete(source);
      await rename(partOf(path), path);
      kept.push(path);
    }
    return kept;
  }

  /** Leaves no files, where `keep` has not. */
  async discard(): Promise<void> {
    for (const [source, { path, file }] of this.#files) {
      await file.close();
      this.#files.delete(source);
      await rm(partOf(path), { force: true });
    }
  }

  async #open(source: RowSource, wanted: string): Promise<FileHandle> {
    const opened = this.#files.get(source);
    if (opened) return opened.file;
    const { dir, name, ext } = parse(wanted);
    const path =
      this.#files.size === 0 ? wanted : resolve(dir, `${name}-${this.#files.size + 1}${ext}`);
    try {
      const file = await open(partOf(path), 'w');
      this.#files.set(source, { path, file });
      // With the separator of the file of which the rows are, so that they can be corrected and loaded as that was.
      await file.appendFile(`${csvLine([...source.columns, 'error', 'line'], source.separator)}\n`);
      return file;
    } catch (error) {
      throw new LoadError(
        `The file ${path} for bad rows cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
        { cause: error },
      );
    }
  }
}

function partOf(path: string): string {
  return `${path}.part`;
}

/** Where a row stands, for people. */
export function nameOfPlace({ place }: Pick<Row, 'place'>): string {
  return place > 0 ? `line ${place}` : `entry ${-place}`;
}
