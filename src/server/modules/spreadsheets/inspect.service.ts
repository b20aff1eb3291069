import * as texts from '#messages/service/spreadsheets.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { ColumnMisfits, ColumnType } from '#shared/rules/column-types.ts';
import { UNKNOWN_NOTATION } from '#shared/values/readings.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { ImportColumn, ImportInspection } from '#shared/contract/imports.ts';
import { ColumnNotation } from '#shared/rules/column-notation.ts';
import { type ColumnMeaning, meaningsOf } from '#shared/rules/spreadsheet-headers.ts';
import type { Cell } from '#shared/rules/spreadsheets.ts';
import { findByName } from '#shared/rules/names.ts';
import { truncate } from '#shared/values/truncate.ts';
import { cellText } from './cell-text.ts';
import { type ImportedFile, readBelowHeaders } from './below-headers.ts';

const EXAMPLES = 3;
const EXAMPLE_LENGTH = 80;
const HEADER_LENGTH = 500;

/**
 * Inspects a spreadsheet before an import: the meaning of its columns, and the questions about ambiguous values.
 * @param chosen the meaning of the columns, in their order; null: by their headers
 * @throws {ApiError} 422 under `files.0` if it cannot be read or has no rows
 */
export async function inspectSheet(
  collection: Collection,
  file: ImportedFile,
  chosen: readonly ImportColumn[] | null,
): Promise<ImportInspection> {
  let columns: ColumnSeen[] | null = null;
  let rows = 0;
  for await (const { headers, cells } of readBelowHeaders(file)) {
    if (!columns) {
      const meanings =
        chosen?.map((column) => (column.as === 'line' ? NOTHING : column)) ??
        meaningsOf(headers, collection.fields, collection.keywordFields);
      columns = headers.map(
        (header, i) => new ColumnSeen(collection, header, meanings[i] ?? NOTHING),
      );
    }
    rows += 1;
    for (const [i, column] of columns.entries()) column.add(cells[i] ?? null);
  }
  const found = (columns ?? []).map((column) => column.found());
  if (rows === 0) {
    throw new ApiError('validation_failed', { 'files.0': [texts.noRows] });
  }
  const versions = found.some(({ column }) => column.as === 'version');
  return { name: file.name, rows, columns: found, versions };
}

const NOTHING = { as: 'nothing' } as const;

class ColumnSeen {
  readonly #header: string;
  readonly #meaning: ColumnMeaning;
  readonly #notation: ColumnNotation | null;
  readonly #type = new ColumnType();
  readonly #misfits: ColumnMisfits | null;
  readonly #examples: string[] = [];

  constructor(collection: Collection, header: string, meaning: ColumnMeaning) {
    this.#header = header;
    this.#meaning = meaning;
    const field = meaning.as === 'field' && findByName(collection.fields, meaning.field);
    this.#notation = field ? new ColumnNotation(field) : null;
    this.#misfits = field ? new ColumnMisfits(field) : null;
  }

  add(cell: Cell): void {
    this.#notation?.add(cell);
    this.#type.add(cell);
    this.#misfits?.add(cell, this.#type.detectedType);
    const text = cellText(cell);
    if (this.#examples.length >= EXAMPLES || text === '') return;
    this.#examples.push(truncate(text, EXAMPLE_LENGTH));
  }

  found(): ImportInspection['columns'][number] {
    const meaning = this.#meaning;
    const { decimal, order } = this.#notation?.notation ?? UNKNOWN_NOTATION;
    const column = meaning.as === 'field' ? { ...meaning, decimal, order } : meaning;
    const example = this.#notation?.question ?? null;
    const question = example === null ? null : { about: this.#notation?.about ?? 'order', example };
    return {
      header: truncate(this.#header, HEADER_LENGTH),
      column,
      question,
      examples: this.#examples,
      looksLike: this.#type.detectedType,
      misfits: this.#foundMisfits(),
    };
  }

  #foundMisfits(): ImportInspection['columns'][number]['misfits'] {
    const { count = 0, example = null } = this.#misfits ?? {};
    return count === 0 ? null : { count, example: truncate(cellText(example), EXAMPLE_LENGTH) };
  }
}
