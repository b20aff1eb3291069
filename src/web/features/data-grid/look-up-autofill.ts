import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import type { RefObject } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { findByName } from '#shared/rules/names.ts';
import { whenStore } from '#web/api/when-store.ts';
import { fillsOf, referencedDatasetsQuery } from '#web/fields/look-up.ts';
import { valueText } from '#web/fields/value-text.ts';
import { withStep } from '#web/undo/undo-steps.ts';
import {
  cellsOf,
  type Edits,
  newRowOf,
  type RowKey,
  type ServerRecord,
  valueShown,
} from './edit-store/edits.ts';
import { hasInvalidCells } from './edit-store/settle-edits.ts';
import type { StepCell, Steps, TableStep } from './edit-store/steps.ts';
import { fillWrites, type RowContext } from './fill-writes.ts';
import * as undoTexts from '#messages/table-undo.ts';

/** A value that was typed into a cell with options from a table, and not chosen from the list. */
export interface TypedLookUp extends RowContext {
  readonly client: QueryClient;
  readonly column: Column;
  /** the undo step of the value */
  readonly step: TableStep;
  /** the edits right after it was written */
  readonly written: Edits;
  /** whether a column of the row is being edited */
  readonly isOpen: (column: string) => boolean;
  /** the row with the focus */
  readonly focusedKey: RefObject<RowKey | undefined>;
}

/**
 * Fills the cells that belong to a typed value, as if its dataset had been chosen, and adds them to its undo step. Cells
 * that have changed since stay as they are; none is filled if the value has.
 */
export async function autofillTyped(typed: TypedLookUp): Promise<void> {
  const { client, editStore, columns, key, listed, column, step, written, isOpen, focusedKey } =
    typed;
  const text = contentOf(written, typed, column);
  const named = text && (await readReferenced(client, column, text));
  if (!named) return;
  // The values of a row that is being created belong to that step afterwards.
  await whenStore(editStore, (now) => newRowOf(now, key)?.is !== 'sending');
  await editStore.amendSteps((steps) => {
    const edits = editStore.get();
    const row = newRowOf(edits, key);
    const now = row?.stored ?? editStore.newerThan(key, 0) ?? listed;
    const isUnchanged = (one: Column) =>
      contentOf(edits, { key, listed: now }, one) === contentOf(written, typed, one) &&
      !isOpen(one.name);
    if (!isUnchanged(column)) return steps;
    const fills = fillsOf(named).filter(({ name }) => {
      const filled = findByName(columns, name);
      return filled && isUnchanged(filled);
    });
    const cells = editStore.writeLater(fillWrites({ editStore, columns, key, listed: now }, fills));
    // Without the filled values it may have been left and not created.
    const isLeft = key !== focusedKey.current;
    if (isLeft && row && !row.stored && hasInvalidCells(row)) void editStore.create([key], columns);
    return cells.length > 0 ? withFilled(steps, step, cells) : steps;
  });
}

/** The record with a value of a column. It is read to the end also if the form that reads it too is closed meanwhile. */
async function readReferenced(client: QueryClient, column: Column, text: string) {
  const query = referencedDatasetsQuery(column, text);
  const leave = new QueryObserver(client, query).subscribe(() => undefined);
  try {
    return await client.query(query);
  } finally {
    leave();
  }
}

/** What a cell of a row contains, also if it is invalid. */
function contentOf(
  edits: Edits,
  { key, listed }: { readonly key: string; readonly listed: ServerRecord | null },
  column: Column,
): string | null {
  const edit = cellsOf(edits, key).get(column.name);
  if (edit?.status.is === 'unread') return edit.text;
  const stored = listed ? (listed.dataset[column.name] ?? null) : column.default;
  return valueText(valueShown(edit, stored), column);
}

/** Adds the filled cells to the step of the value, or to the creation of its row. */
function withFilled(steps: Steps, step: TableStep, cells: readonly StepCell[]): Steps {
  const { done } = steps;
  if (done.includes(step)) {
    const filled = { ...step, cells: [...step.cells, ...cells] };
    return { ...steps, done: done.map((one) => (one === step ? filled : one)) };
  }
  const values = Object.fromEntries(
    cells.flatMap(({ column, after }) => ('value' in after ? [[column, after.value]] : [])),
  );
  const isOfRow = ({ jrid }: { readonly jrid: string }) => jrid === cells[0]?.jrid;
  if (!done.some(({ created }) => created.some(isOfRow))) {
    const own = { label: undoTexts.typing, cells, created: [], bulkEditId: null };
    return withStep(steps, own);
  }
  const withValues = (one: TableStep): TableStep => ({
    ...one,
    created: one.created.map((creation) =>
      isOfRow(creation) ? { ...creation, values: { ...creation.values, ...values } } : creation,
    ),
  });
  return { ...steps, done: done.map((one) => (one.created.some(isOfRow) ? withValues(one) : one)) };
}
