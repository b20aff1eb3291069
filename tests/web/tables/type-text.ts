import type { Column } from '#shared/rules/definitions.ts';
import {
  type CellContext,
  type Edits,
  type RowKey,
  writeEntry,
} from '#web/features/data-grid/edit-store/edits.ts';

/** The edits after a text was typed into a cell. */
export function typeText(
  edits: Edits,
  key: RowKey,
  column: Column,
  typed: string | null,
  context: CellContext,
): Edits {
  return writeEntry(edits, { key, column, entry: { typed }, ...context });
}
