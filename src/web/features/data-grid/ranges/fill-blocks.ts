import type { Rect } from '#web/grid/rects.ts';
import type { TableField } from '../columns/table-fields.ts';
import type { CellEntry, CellWrite } from '../edit-store/edits.ts';
import type { TableRow } from '../rows/use-rows.ts';
import type { ClipboardCell } from './clipboard-content.ts';
import { fillDown, fillSideways } from './fill-cells.ts';
import { type FillArea, boundingBlock } from './fill-area.ts';

/** The writes into a block. @param rows those of the block, from its top @param at the index of the block */
export type WritesOfBlock = (
  block: Rect,
  rows: readonly (TableRow | null)[],
  at: number,
) => readonly CellWrite[];

export { fillAreaWithin } from './fill-area.ts';

interface FillContext {
  /** those shown, in their order */
  readonly columns: readonly TableField[];
  readonly contentOf: (row: TableRow, column: TableField) => ClipboardCell;
  readonly write: (row: TableRow, column: TableField, entry: CellEntry) => CellWrite;
  /** stores the writes into all blocks as one action */
  readonly writeBlocks: (blocks: readonly Rect[], writesOf: WritesOfBlock) => Promise<void>;
}

/** Continues blocks over the adjacent cells; all together are one action. */
export function fillBlocks(
  spreads: readonly FillArea[],
  down: boolean,
  { columns, contentOf, write, writeBlocks }: FillContext,
): Promise<void> {
  const continueBlock = down ? fillDown<TableRow, TableField> : fillSideways<TableRow, TableField>;
  return writeBlocks(spreads.map(boundingBlock), (whole, read, at) => {
    const own = spreads[at];
    const writes: CellWrite[] = [];
    if (!own) return writes;
    continueBlock(own, {
      columns,
      rowAt: (index) => read[index - whole.top] ?? null,
      contentOf,
      // Filling the empty row creates a new one, but only once.
      put: (row, column, content) => writes.push(write(row, column, content)),
    });
    return writes;
  });
}
