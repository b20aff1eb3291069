import type { Column } from '#shared/rules/definitions.ts';
import { findByName } from '#shared/rules/names.ts';
import type { Fill } from '#web/fields/look-up.ts';
import { parseField } from '#web/fields/field-model.ts';
import { valueText } from '#web/fields/value-text.ts';
import type { EditStore } from './edit-store/edit-store.ts';
import {
  type CellWrite,
  type CellEntry,
  type RowKey,
  type ServerRecord,
  cellValue,
  writeOver,
} from './edit-store/edits.ts';

export interface RowContext {
  readonly editStore: EditStore;
  /** all of the table */
  readonly columns: readonly Column[];
  readonly key: RowKey;
  /** the record as listed; null in a new row */
  readonly listed: ServerRecord | null;
}

/** The writes to the other cells of a row when a dataset of another table is chosen in it. */
export function fillWrites(row: RowContext, fills: readonly Fill[]): CellWrite[] {
  return fills.flatMap(({ name, text }) => {
    const column = columnNamed(row, name);
    if (!column) return [];
    return writeOver(row.editStore.get(), rowToWrite(row), column, editorEntryOf(column, text));
  });
}

/** The content of an editor as an entry of a cell: its value, or the text if it is invalid. */
export function editorEntryOf(column: Column, text: string | null): CellEntry {
  const parsed = parseField(column, text);
  return parsed.ok ? { value: parsed.value } : { typed: text };
}

/** The content of a cell of the row, in the form of the interface; null: none, or no such column. */
export function textInRow(row: RowContext, name: string): string | null {
  const column = columnNamed(row, name);
  if (!column) return null;
  return valueText(cellValue(row.editStore.get(), rowToWrite(row), column.name), column);
}

function columnNamed({ columns }: RowContext, name: string): Column | undefined {
  return findByName(columns, name);
}

const rowToWrite = ({ key, listed }: RowContext) => ({ key, stored: listed });
