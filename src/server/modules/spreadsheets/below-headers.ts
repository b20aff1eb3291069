import type { Cell } from '#shared/rules/spreadsheets.ts';
import { cellText } from './cell-text.ts';
import { readSheet } from './sheet.ts';

/** An uploaded spreadsheet, and its format if set by the user. */
export interface ImportedFile {
  readonly path: string;
  readonly name: string;
  readonly separator?: string | undefined;
  readonly encoding?: string | undefined;
  /** the line of the headers, from 1; 0: none; null: the first line with content */
  readonly header: number | null;
}

interface RowBelowHeaders {
  /** of all columns; empty texts for a file without a header line */
  readonly headers: readonly string[];
  readonly line: number;
  readonly cells: readonly Cell[];
  /** whether the file is text: XLSX leaves out empty cells at the end of a row */
  readonly isText: boolean;
}

/**
 * Reads the rows below the headers of a spreadsheet.
 * @throws {ApiError} 422 under `files.0` if it cannot be read
 */
export async function* readBelowHeaders({
  path,
  separator,
  encoding,
  header,
}: ImportedFile): AsyncGenerator<RowBelowHeaders> {
  let headers: readonly string[] | null = null;
  for await (const { line, cells, format } of readSheet(path, { separator, encoding })) {
    const isText = format.type === 'csv';
    if (headers) yield { headers, line, cells, isText };
    else if (header === 0) {
      headers = cells.map(() => '');
      yield { headers, line, cells, isText };
    } else if (header === null || line >= header) headers = cells.map(cellText);
  }
}
