import type { Column } from '#shared/rules/definitions.ts';
import type { Scalar } from '#shared/values/values.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import { formatCount } from '#shared/messages/format.ts';
import { notify } from '#web/ui/notify.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import type { CellWrite } from '../edit-store/edits.ts';
import { cellsOf, type Entry, valueShown } from '../edit-store/edits.ts';
import { selectedBlocks } from '#web/grid/grid-focus.ts';
import type { Grid } from '../use-grid.ts';
import type { Row, Rows } from '../rows/use-rows.ts';
import { type Content, copied } from './copy.ts';
import { OWN_TYPE } from './own-cells.ts';
import { cellCount, clipped, columnsOf, isSingle, type Rect, rowsOf } from '#web/grid/rects.ts';
import { span, type Spread, spreadDown, spreadSideways, wholeOf } from './spread.ts';

/** As many as a browser and a service take at once without a pause that is felt as one. */
const MOST_CELLS = 100_000;

interface BlockActsOptions {
  readonly grid: Grid;
  readonly columns: readonly Column[];
  readonly rows: Rows;
  readonly editStore: EditStore;
  readonly canWrite: boolean;
  /** a BCP 47 tag: how values are written for other programs */
  readonly locale: string;
}

/** What is done with all selected cells at once: emptying, filling, copying. Each is one step of undo. */
export function useBlockActs({
  grid,
  columns,
  rows,
  editStore,
  canWrite,
  locale,
}: BlockActsOptions) {
  const blocks = () =>
    selectedBlocks(grid.state).flatMap((rect) => clipped(rect, grid.extent()) ?? []);

  const contentOf = (row: Row, column: Column): Content => {
    const edit = cellsOf(editStore.get(), row.key).get(column.name);
    if (edit?.status.is === 'unread') return { typed: edit.text ?? '' };
    return { value: valueShown(edit, row.stored?.dataset[column.name] ?? null) };
  };
  const seenIn = (row: Row, column: Column) =>
    valueShown(
      cellsOf(editStore.get(), row.key).get(column.name),
      row.stored?.dataset[column.name] ?? null,
    );
  const write = (row: Row, column: Column, entry: Entry): CellWrite => ({
    key: row.key,
    column,
    ...entry,
    seen: seenIn(row, column),
    listed: row.stored,
  });

  /** Reads the rows of the blocks and has each one's writes made; the whole is one act. */
  const act = async (
    label: string,
    rects: readonly Rect[],
    writesOf: (rect: Rect, rows: readonly (Row | null)[], at: number) => readonly CellWrite[],
  ): Promise<void> => {
    if (!canWrite || rects.length === 0) return;
    if (cellCount(rects) > MOST_CELLS) {
      notify(`At most ${formatCount(MOST_CELLS)} cells are changed at once. Select fewer.`);
      return;
    }
    try {
      const read = await Promise.all(rects.map(({ top, bottom }) => rows.readBetween(top, bottom)));
      const writes = rects.flatMap((rect, i) => writesOf(rect, read[i] ?? [], i));
      if (writes.length > 0) editStore.write(writes, label);
    } catch (error) {
      notify(`Nothing is changed: ${summary(toFailure(error))}`);
    }
  };
  const columnsIn = ({ left, right }: Rect) => columns.slice(left - 1, right);

  const everywhere = (label: string, entryFor: (column: Column, seen: Scalar) => Entry | null) =>
    act(label, blocks(), (rect, read) =>
      read.flatMap((row) =>
        row && row.kind !== 'empty'
          ? columnsIn(rect).flatMap((column) => {
              const entry = entryFor(column, seenIn(row, column));
              return entry ? write(row, column, entry) : [];
            })
          : [],
      ),
    );

  /** Goes on with blocks over others beside them; all together are one act. */
  const spread = (label: string, spreads: readonly Spread[], down: boolean) =>
    act(label, spreads.map(wholeOf), (whole, read, at) => {
      const own = spreads[at];
      const writes: CellWrite[] = [];
      if (!own) return writes;
      (down ? spreadDown : spreadSideways)<Row>(own, {
        columns,
        rowAt: (index) => read[index - whole.top] ?? null,
        contentOf,
        // The empty row becomes a new one by being filled, but never a second time.
        put: (row, column, content) => writes.push(write(row, column, content)),
      });
      return writes;
    });

  return {
    blocks,
    /** Whether more than one cell is selected. */
    several: () => !isSingle(blocks()),

    clear: () => void everywhere('emptying cells', () => ({ typed: null })),

    /** Puts one content into all selected cells; `typed` is read by the rules of each column. */
    fillSelection: (content: Content) => void everywhere('filling cells', () => content),

    /** Puts into each selected cell what is to stand there, told the value that stands there now; null leaves it. */
    enter: (label: string, entryFor: (column: Column, seen: Scalar) => Entry | null) =>
      void everywhere(label, entryFor),

    /** The content of the focused cell, as it would be copied. */
    focused: (): Content | null => {
      const { row, column } = grid;
      return row && column ? contentOf(row, column) : null;
    },

    /** Copies the first row (column) of each block into its others; where there is one, the row (column) before. */
    fill: (to: 'down' | 'right') => {
      const down = to === 'down';
      const spreads = blocks().flatMap((block): Spread[] => {
        const one = down ? rowsOf(block) === 1 : columnsOf(block) === 1;
        const source = down
          ? { ...block, top: block.top - (one ? 1 : 0), bottom: block.top - (one ? 1 : 0) }
          : { ...block, left: block.left - (one ? 1 : 0), right: block.left - (one ? 1 : 0) };
        const target = one
          ? block
          : { ...block, ...(down ? { top: block.top + 1 } : { left: block.left + 1 }) };
        return source.top >= 0 && source.left >= 1 ? [{ source, target }] : [];
      });
      void spread(down ? 'filling down' : 'filling to the right', spreads, down);
    },

    /** Goes on with a block over the cells beside it, as its handle was pulled. */
    pull: (source: Rect, target: Rect) =>
      void spread(
        'filling cells',
        [{ source, target }],
        target.top > source.bottom || target.bottom < source.top,
      ),

    /**
     * Writes the selected block into the clipboard of the event; what is not read yet is read, and said so.
     * @returns whether there is something to copy
     */
    copy: (clipboard: DataTransfer): boolean => {
      const [block, another] = blocks();
      if (!block) return false;
      if (another) {
        notify('Several separate selections cannot be copied at once. Select one block.');
        return true;
      }
      if (cellCount([block]) > MOST_CELLS) {
        notify(`At most ${formatCount(MOST_CELLS)} cells are copied at once. Use Export.`);
        return true;
      }
      const read = span(block.top, block.bottom).map((index) => rows.at(index));
      if (read.includes(undefined)) {
        void rows
          .readBetween(block.top, block.bottom)
          .then(() => notify('The rows are loaded now. Copy again.'))
          .catch((error: unknown) => notify(`Nothing is copied: ${summary(toFailure(error))}`));
        return true;
      }
      const wanted = columnsIn(block);
      const contents = read.flatMap((row) =>
        row && row.kind !== 'empty' ? [wanted.map((column) => contentOf(row, column))] : [],
      );
      if (contents.length === 0) return false;
      const { text, html, own } = copied(wanted, contents, locale);
      clipboard.setData('text/plain', text);
      clipboard.setData('text/html', html);
      clipboard.setData(OWN_TYPE, own);
      return true;
    },
  };
}

export type BlockActs = ReturnType<typeof useBlockActs>;
