import * as loadingTexts from '#messages/service/loading.ts';
import {
  UNKNOWN_NOTATION,
  notationOf,
  parseLenient,
  readText,
  type Notation,
} from '#shared/values/readings.ts';
import { ColumnNotation } from '#shared/rules/column-notation.ts';
import { isText } from '#shared/values/registry.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { CsvColumns } from './csv-columns.ts';
import type { CsvRecord } from './csv-file.ts';
import { LoadError } from '../definition-files/load-error.ts';

/** The formats of columns whose values are not in the form of the interface, by cell number. */
export interface DetectedNotations {
  readonly notations: ReadonlyMap<number, Notation>;
  /** what was detected, one sentence per column */
  readonly remarks: readonly string[];
}

type Field = Collection['fields'][number];

/** The columns of numbers, dates and booleans; texts are loaded unchanged. */
function columnsToRead(
  collection: Collection,
  columns: CsvColumns,
): { field: Field; cell: number }[] {
  return columns.fields.flatMap(({ fieldIndex, cell }) => {
    const field = collection.fields[fieldIndex];
    return field && !isText(field) ? [{ field, cell }] : [];
  });
}

/** The format of a locale for all such columns. */
export function notationsOfLocale(
  locale: string,
  collection: Collection,
  columns: CsvColumns,
): ReadonlyMap<number, Notation> {
  const notation = notationOf(locale);
  return new Map(columnsToRead(collection, columns).map(({ cell }) => [cell, notation]));
}

/**
 * Detects the formats of the columns of a file, as imports do. A column with values in the form of the interface, or without
 * values, is read in that form.
 * @param read returns the records below the header; called up to twice
 * @throws {LoadError} for columns with ambiguous values
 */
export async function detectNotations(
  collection: Collection,
  columns: CsvColumns,
  name: string,
  read: () => AsyncIterable<CsvRecord>,
): Promise<DetectedNotations> {
  const nonStandard = await findNonStandard(columnsToRead(collection, columns), read);
  const notations = new Map<number, Notation>();
  if (nonStandard.length === 0) return { notations, remarks: [] };

  const tallies = nonStandard.map((column) => ({
    ...column,
    notation: new ColumnNotation(column.field),
  }));
  for await (const { cells } of read()) {
    for (const column of tallies) column.notation.add(cells[column.cell] ?? null);
  }
  const remarks: string[] = [];
  const problems: string[] = [];
  for (const { field, cell, example, notation: shown } of tallies) {
    const header = `${name}, column ${columns.header[cell] ?? ''}`;
    const { question } = shown;
    if (question !== null) {
      problems.push(loadingTexts.formatUnclear({ header, question }));
      continue;
    }
    notations.set(cell, shown.notation);
    const reading = readText(field, example, shown.notation);
    const value = reading.kind === 'value' ? ` as ${String(reading.value)}` : '';
    remarks.push(loadingTexts.formatDiffers({ header, example, value }));
  }
  if (problems.length > 0) throw new LoadError(problems);
  return { notations, remarks };
}

/** Whether a value is in the form of the interface, valid for the field or not. */
function isStandard({ type }: Field, text: string): boolean {
  return parseLenient({ type }, text).ok;
}

/** The columns with a value in another form than that of the interface, each with the first such value. */
async function findNonStandard(
  columns: readonly { readonly field: Field; readonly cell: number }[],
  read: () => AsyncIterable<CsvRecord>,
) {
  const unknown = new Set(columns);
  const nonStandard: { field: Field; cell: number; example: string }[] = [];
  if (unknown.size === 0) return nonStandard;
  for await (const { cells } of read()) {
    for (const column of unknown) {
      const { field, cell } = column;
      const text = cells[cell] ?? '';
      if (text === '' || isStandard(field, text)) continue;
      if (readText(field, text, UNKNOWN_NOTATION).kind === 'unreadable') continue;
      nonStandard.push({ field, cell, example: text });
      unknown.delete(column);
    }
    if (unknown.size === 0) break;
  }
  return nonStandard;
}
