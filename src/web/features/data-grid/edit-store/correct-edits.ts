import type { Column } from '#shared/rules/definitions.ts';
import type { Store } from '#web/api/create-store.ts';
import type { Side } from '#web/fields/conflict-panel.tsx';
import { type Edits, jridOf, newRowOf, type RowKey, withoutNewRows } from './edits.ts';
import { resolveConflict, retryCell } from './settle-edits.ts';
import { withoutCells } from './update-rows.ts';

interface EditCorrectorOptions {
  readonly edits: Store<Edits>;
  /** sends the pending edits of a row */
  readonly savePending: (key: RowKey) => void;
  /** called for rows that were never created */
  readonly onDropped: (keys: readonly RowKey[]) => void;
}

/** What users do with edits that cannot be saved. */
export function createEditCorrector({ edits, savePending, onDropped }: EditCorrectorOptions) {
  return {
    /**
     * Discards the text typed into cells, which then show the server's values. An entry without a column drops a row
     * that the server does not have, unless it is being sent.
     */
    discard(cells: readonly { readonly key: RowKey; readonly column: string | null }[]): void {
      const whole = new Set(cells.flatMap(({ key, column }) => (column === null ? key : [])));
      edits.set(
        withoutNewRows(
          withoutCells(edits.get(), cells),
          ({ key, is }) => whole.has(key) && is !== 'sending',
        ),
      );
      const dropped = [...whole].filter((key) => newRowOf(edits.get(), key) === undefined);
      if (dropped.length > 0) onDropped(dropped);
    },
    /** Sends a rejected cell again. */
    tryAgain(key: RowKey, column: string): void {
      edits.set(retryCell(edits.get(), key, column));
      savePending(key);
    },
    /** Settles a conflict in a cell. */
    choose(key: RowKey, column: Column, side: Side): void {
      const now = edits.get();
      edits.set(resolveConflict(now, jridOf(now, key) ?? key, column, side));
      savePending(key);
    },
  };
}
