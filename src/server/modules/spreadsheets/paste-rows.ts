import * as texts from '#messages/service/spreadsheets.ts';
import type { Table } from '#server/database/records/collection.ts';
import type { MessagesByPath } from '#shared/messages/message.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { PasteBody } from '#shared/contract/paste-requests.ts';
import { fieldProblem } from '#shared/rules/bulk-edits.ts';
import { indexOfName } from '#shared/rules/names.ts';
import { readCell } from '#shared/rules/spreadsheets.ts';
import type { Notation } from '#shared/values/readings.ts';
import { parseType } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type {
  CurrentValues,
  RowProblem,
  RowReading,
  RowToPlan,
} from '../bulk-edits/bulk-edits.service.ts';
import { charactersIn, problemOf } from './import-rows.ts';

export type { PasteBody } from '#shared/contract/paste-requests.ts';

type PastedCell = PasteBody['datasets'][number]['cells'][number];

interface PastedColumn {
  /** the position in the definition */
  readonly fieldIndex: number;
  readonly notation: Notation;
}

/**
 * The rows of a paste, numbered from 1.
 * @throws {ApiError} 422 under `columns.N` or `datasets.N.cells`
 */
export function pastedRows(table: Table, { columns, datasets }: PasteBody): Iterable<RowToPlan> {
  const known = readColumns(table, columns);
  const longer = datasets.findIndex(({ cells }) => cells.length > known.length);
  if (longer >= 0) {
    throw new ApiError('validation_failed', {
      [`datasets.${longer}.cells`]: [texts.tooManyCells],
    });
  }
  return { [Symbol.iterator]: () => toRows(table, known, datasets) };
}

function* toRows(
  table: Table,
  columns: readonly PastedColumn[],
  datasets: PasteBody['datasets'],
): Generator<RowToPlan> {
  const columnAt = new Map(columns.map(({ fieldIndex }, at) => [fieldIndex, at]));
  for (const [i, { jrid, ifMatch, cells }] of datasets.entries()) {
    // An empty row creates nothing, but counts: messages name the rows of the clipboard.
    if (jrid === null && cells.every(isEmpty)) continue;
    yield {
      line: i + 1,
      id: jrid,
      named: jrid !== null,
      ifMatch,
      characters: charactersIn(cells),
      read: (current) => readRow(table, columns, cells, current),
      gives: (fieldIndex) => !isEmpty(cells[columnAt.get(fieldIndex) ?? -1]),
      refused: () => null,
    };
  }
}

/** @throws {ApiError} 422 under `columns.N` */
function readColumns(table: Table, columns: PasteBody['columns']): PastedColumn[] {
  const errors: MessagesByPath = {};
  const seen = new Set<number>();
  const known = columns.map(({ field, decimal, order }, i): PastedColumn => {
    const fieldIndex = indexOfName(table.fields, field);
    if (fieldIndex < 0)
      errors[`columns.${i}`] = [texts.noColumn({ name: field.toWellFormed().slice(0, 100) })];
    else if (seen.has(fieldIndex)) errors[`columns.${i}`] = [texts.columnTwice];
    seen.add(fieldIndex);
    return { fieldIndex, notation: { decimal, order } };
  });
  if (Object.keys(errors).length > 0) throw new ApiError('validation_failed', errors);
  return known;
}

function readRow(
  table: Table,
  columns: readonly PastedColumn[],
  cells: readonly PastedCell[],
  { values: current }: CurrentValues,
): RowReading {
  const values = new Map<number, Scalar>();
  const problems: RowProblem[] = [];
  for (const [at, cell] of cells.entries()) {
    const { fieldIndex = -1, notation } = columns[at] ?? {};
    const field = table.fields[fieldIndex];
    if (!field || !notation) continue;
    if (typeof cell !== 'string') {
      const parsed = parseType(field, cell);
      if (parsed.ok) values.set(fieldIndex, parsed.value);
      else problems.push(fieldProblem(field, textOf(cell), parsed.message));
      continue;
    }
    const reading = readCell(field, cell, current[fieldIndex] ?? null, notation);
    if (reading.kind === 'value') values.set(fieldIndex, reading.value);
    else if (reading.kind !== 'unchanged') {
      problems.push(fieldProblem(field, cell, problemOf(reading, notation)));
    }
  }
  return { values, keywords: new Map(), problems };
}

function isEmpty(cell: PastedCell | undefined): boolean {
  return cell === undefined || cell === null || cell === '';
}

function textOf(cell: Exclude<PastedCell, string>): string | null {
  if (cell === null) return null;
  return typeof cell === 'boolean' ? String(cell) : cell.source;
}
