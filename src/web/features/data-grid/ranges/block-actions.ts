import type { Column } from '#shared/rules/definitions.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import { lazyUiModule } from '#web/ui/lazy-component.tsx';
import { notify, notifyFailure } from '#web/ui/notify.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import { storedIn, type TableField } from '../columns/table-fields.ts';
import {
  cellsOf,
  type CellEntry,
  type CellWrite,
  cellValue,
  valueShown,
  writeOver,
} from '../edit-store/edits.ts';
import { selectedBlocks } from '#web/grid/grid-focus.ts';
import type { Grid } from '../use-grid.ts';
import type { TableRow, TableRows } from '../rows/use-rows.ts';
import type { ClipboardCell } from './clipboard-content.ts';
import { copyBlock } from './copy-block.ts';
import { cellCount, clipToGrid, isSingle, type Rect } from '#web/grid/rects.ts';
import type { FillArea } from './fill-area.ts';
import type { WritesOfBlock } from './fill-blocks.ts';
import * as undoTexts from '#messages/table-undo.ts';
import * as texts from '#messages/tables.ts';

const loadFillModule = () => import('./fill-blocks.ts');
type FillModule = Awaited<ReturnType<typeof loadFillModule>>;

/** The code that continues blocks and series. It is not loaded with the page of a table. */
const fillModule = lazyUiModule(loadFillModule);

/** As many as a browser and the service process without a noticeable delay. */
const MAX_CELLS = 100_000;

interface BlockActionsOptions {
  readonly grid: Grid;
  readonly columns: readonly TableField[];
  readonly rows: TableRows;
  readonly editStore: EditStore;
  readonly canWrite: boolean;
}

/** Actions on all selected cells at once: emptying, filling, copying. Each is one undo step. */
export function blockActionsOf(options: BlockActionsOptions) {
  const { grid, columns, rows, editStore, canWrite } = options;
  const readOnly = new Set(columns.filter((column) => column.readOnly).map(({ name }) => name));
  const blocks = () =>
    selectedBlocks(grid.state).flatMap((rect) => clipToGrid(rect, grid.extent()) ?? []);

  const contentOf = (row: TableRow, column: TableField): ClipboardCell => {
    const edit = cellsOf(editStore.get(), row.key).get(column.name);
    if (edit?.status.is === 'unread') return { typed: edit.text ?? '' };
    return { value: valueShown(edit, storedIn(row.stored, column)) };
  };
  const write = (row: TableRow, column: Column, entry: CellEntry): CellWrite =>
    writeOver(editStore.get(), row, column, entry);

  /** Loads the rows of the blocks and collects the writes of each; together they are one action. */
  const writeBlocks = async (
    label: string,
    rects: readonly Rect[],
    writesOf: WritesOfBlock,
  ): Promise<void> => {
    if (!canWrite || rects.length === 0) return;
    if (cellCount(rects) > MAX_CELLS) {
      notify(texts.tooManyCellsChanged(MAX_CELLS));
      return;
    }
    try {
      const read = await Promise.all(rects.map(({ top, bottom }) => rows.readBetween(top, bottom)));
      const writes = rects
        .flatMap((rect, i) => writesOf(rect, read[i] ?? [], i))
        .filter(({ column }) => !readOnly.has(column.name));
      if (writes.length > 0) editStore.write(writes, label);
    } catch (error) {
      notifyNotChanged(error);
    }
  };
  const columnsIn = ({ left, right }: Rect) => columns.slice(left - 1, right);

  /** Writes into each selected cell, depending on its present value; null leaves it unchanged. */
  const writeToSelection = (
    label: string,
    entryFor: (column: Column, initialValue: Scalar) => CellEntry | null,
  ) =>
    void writeBlocks(label, blocks(), (rect, read) =>
      read.flatMap((row) =>
        row && row.kind !== 'empty'
          ? columnsIn(rect).flatMap((column) => {
              const entry = entryFor(column, cellValue(editStore.get(), row, column.name));
              return entry ? write(row, column, entry) : [];
            })
          : [],
      ),
    );

  const spread = (
    label: string,
    down: boolean,
    spreadsOf: (parts: FillModule) => readonly FillArea[],
  ) =>
    void fillModule.load().then(
      (parts) =>
        parts.fillBlocks(spreadsOf(parts), down, {
          columns,
          contentOf,
          write,
          writeBlocks: (rects, writesOf) => writeBlocks(label, rects, writesOf),
        }),
      notifyNotChanged,
    );

  return {
    blocks,
    /** Whether more than one cell is selected. */
    hasSeveralCells: () => !isSingle(blocks()),

    clear: () => writeToSelection(undoTexts.emptying, () => ({ typed: null })),

    /** Puts one content into all selected cells; `typed` is parsed by the rules of each column. */
    fillSelection: (content: ClipboardCell) => writeToSelection(undoTexts.filling, () => content),

    writeToSelection,

    /** The content of the focused cell, as in a copy. */
    focusedContent: (): ClipboardCell | null => {
      const { row, column } = grid;
      return row && column ? contentOf(row, column) : null;
    },

    /**
     * Copies the first row (column) of each block into its others; for a single row (column), copies the previous one.
     */
    fill: (to: 'down' | 'right') => {
      const down = to === 'down';
      const filled = blocks();
      spread(down ? undoTexts.fillingDown : undoTexts.fillingRight, down, ({ fillAreaWithin }) =>
        filled.flatMap((block) => fillAreaWithin(block, to) ?? []),
      );
    },

    /** Continues a block over the adjacent cells, as its handle was dragged. */
    dragFill: (source: Rect, target: Rect) =>
      spread(undoTexts.filling, target.top > source.bottom || target.bottom < source.top, () => [
        { source, target },
      ]),

    /** Writes the selected block to the clipboard of an event. @returns whether there is something to copy */
    copy: (clipboard: DataTransfer): boolean => {
      const [block, another] = blocks();
      if (!block) return false;
      if (another) notify(texts.oneBlockToCopy);
      else if (cellCount([block]) > MAX_CELLS) notify(texts.tooManyCellsCopied(MAX_CELLS));
      else return copyBlock(clipboard, block, { columns: columnsIn(block), rows, contentOf });
      return true;
    },
  };
}

const notifyNotChanged = (error: unknown) =>
  notifyFailure(texts.notChanged(summary(toFailure(error))));

export type BlockActions = ReturnType<typeof blockActionsOf>;
