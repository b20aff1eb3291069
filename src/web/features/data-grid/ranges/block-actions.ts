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
import { boundingBlock, type FillArea, fillAreaWithin } from './fill-area.ts';
import * as undoTexts from '#messages/table-undo.ts';
import * as texts from '#messages/tables.ts';

/** The code that continues blocks and series. It is not loaded with the page of a table. */
const fillModule = lazyUiModule(() => import('./fill-cells.ts'));

/** As many as a browser and the service process without a noticeable delay. */
const MAX_CELLS = 100_000;

/** The writes into a block; they are made from its rows, from its top. */
interface BlockWrites {
  readonly block: Rect;
  readonly writesOf: (rows: readonly (TableRow | null)[]) => readonly CellWrite[];
}

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
  const writeBlocks = async (label: string, written: readonly BlockWrites[]): Promise<void> => {
    if (!canWrite || written.length === 0) return;
    if (cellCount(written.map(({ block }) => block)) > MAX_CELLS) {
      notify(texts.tooManyCellsChanged(MAX_CELLS));
      return;
    }
    try {
      const read = await Promise.all(
        written.map(({ block: { top, bottom } }) => rows.readBetween(top, bottom)),
      );
      const writes = written
        .flatMap(({ writesOf }, i) => writesOf(read[i] ?? []))
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
    void writeBlocks(
      label,
      blocks().map((block) => ({
        block,
        writesOf: (read) =>
          read.flatMap((row) =>
            row && row.kind !== 'empty'
              ? columnsIn(block).flatMap((column) => {
                  const entry = entryFor(column, cellValue(editStore.get(), row, column.name));
                  return entry ? write(row, column, entry) : [];
                })
              : [],
          ),
      })),
    );

  /** Continues blocks over the adjacent cells; all together are one action. */
  const fillAreas = (label: string, down: boolean, areas: readonly FillArea[]) =>
    void fillModule.load().then(({ fillDown, fillSideways }) => {
      const continueBlock = down
        ? fillDown<TableRow, TableField>
        : fillSideways<TableRow, TableField>;
      const writesInto = (area: FillArea): BlockWrites => {
        const block = boundingBlock(area);
        return {
          block,
          writesOf: (read) => {
            const rowAt = (index: number) => read[index - block.top] ?? null;
            return continueBlock(area, { columns, rowAt, contentOf }).map(
              ({ row, column, content }) => write(row, column, content),
            );
          },
        };
      };
      return writeBlocks(label, areas.map(writesInto));
    }, notifyNotChanged);

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
      const areas = blocks().flatMap((block) => fillAreaWithin(block, to) ?? []);
      fillAreas(down ? undoTexts.fillingDown : undoTexts.fillingRight, down, areas);
    },

    /** Continues a block over the adjacent cells, as its handle was dragged. */
    dragFill: (source: Rect, target: Rect) =>
      fillAreas(undoTexts.filling, target.top > source.bottom || target.bottom < source.top, [
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
