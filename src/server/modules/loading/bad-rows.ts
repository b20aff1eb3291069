import * as loadingTexts from '#messages/service/loading.ts';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { parse, resolve } from 'node:path';
import { csvLine } from '#shared/rules/spreadsheets.ts';
import { LoadError, MAX_SHOWN } from '../definition-files/load-error.ts';
import type { LoadedRow, RowProblem, RowSource } from './loaded-row.ts';
import { messageOf } from '#server/lib/caught-errors.ts';

/**
 * The bad rows of one archive or table. The first are reported, the rest is counted. If bad rows are skipped, all are
 * written to a CSV file with the original columns, `error` and `line`.
 */
export class BadRows {
  readonly #collection: string;
  /** null: bad rows are not skipped */
  readonly #path: string | null;
  readonly #shown: string[] = [];
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

  /** Whether the archive or table will not be loaded, so that nothing more need be stored. */
  get isFatal(): boolean {
    return this.#count > 0 && this.#path === null;
  }

  /** The first bad rows, one line each, and the number of further ones. */
  get lines(): readonly string[] {
    const more = this.#count - this.#shown.length;
    return more > 0
      ? [...this.#shown, loadingTexts.moreBadRows({ name: this.#collection, count: more })]
      : this.#shown;
  }

  async add(source: RowSource, row: LoadedRow, problems: readonly RowProblem[]): Promise<void> {
    this.#count += 1;
    const messages = problems.map(({ field, message }) =>
      field ? `${field}: ${message}` : message,
    );
    if (this.#shown.length < MAX_SHOWN) {
      this.#shown.push(
        `${this.#collection}, ${source.name}, ${describePosition(row)}: ${messages.join(' ')}`,
      );
    }
    if (this.#path === null) return;
    // A short row must not shift the error into one of its columns.
    const width = Math.max(source.columns.length, row.cells.length);
    const cells = Array.from({ length: width }, (_, i) => row.cells[i] ?? '');
    const line = Math.abs(row.position);
    const file = await this.#open(source, this.#path);
    await file.appendFile(
      `${csvLine([...cells, messages.join(' '), String(line)], source.separator)}\n`,
    );
  }

  /** Renames the complete files to their final names. @returns their paths */
  async publish(): Promise<string[]> {
    const published: string[] = [];
    for (const [source, { path, file }] of this.#files) {
      await file.sync();
      await file.close();
      this.#files.delete(source);
      await rename(temporaryPath(path), path);
      published.push(path);
    }
    return published;
  }

  /** Removes the files that were not published. */
  async discard(): Promise<void> {
    for (const [source, { path, file }] of this.#files) {
      await file.close();
      this.#files.delete(source);
      await rm(temporaryPath(path), { force: true });
    }
  }

  async #open(source: RowSource, wanted: string): Promise<FileHandle> {
    const opened = this.#files.get(source);
    if (opened) return opened.file;
    const { dir, name, ext } = parse(wanted);
    const path =
      this.#files.size === 0 ? wanted : resolve(dir, `${name}-${this.#files.size + 1}${ext}`);
    try {
      const file = await open(temporaryPath(path), 'w');
      this.#files.set(source, { path, file });
      // With the separator of the source, so that the corrected file can be loaded in its place.
      await file.appendFile(`${csvLine([...source.columns, 'error', 'line'], source.separator)}\n`);
      return file;
    } catch (error) {
      throw new LoadError(
        loadingTexts.badRowsNotWritten({
          path,
          value: messageOf(error),
        }),
        { cause: error },
      );
    }
  }
}

function temporaryPath(path: string): string {
  return `${path}.part`;
}

/** The position of a row in its file, for messages. */
export function describePosition({ position }: Pick<LoadedRow, 'position'>): string {
  return position > 0 ? `line ${position}` : `entry ${-position}`;
}
