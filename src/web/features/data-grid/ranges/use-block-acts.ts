import type { Column } from '#shared/definitions.ts';
import type { Scalar } from '#shared/values.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import { shownCount } from '#web/api/reader.ts';
import { notify } from '#web/ui/notify.ts';
import type { CellWrite, Desk } from '../desk.ts';
import { cellsOf, type Entry, valueShown } from '../edits.ts';
import { selectedBlocks } from '../grid-state.ts';
import type { Grid } from '../use-grid.ts';
import type { Row, Rows } from '../use-rows.ts';
import { type Content, copied } from './copy.ts';
import { OWN_TYPE } from './own-cells.ts';
import { cellCount, clipped, columnsOf, isSingle, type Rect, rowsOf } from './rects.ts';
import { continued } from './series.ts';

/** As many as a browser and a service take at once without a pause that is felt as one. */
const MOST_CELLS = 100_000;

interface BlockActsOptions {
  readonly grid: Grid;
  readonly columns: readonly Column[];
  readonly rows: Rows;
  readonly desk: Desk;
  readonly canWrite: boolean;
  /** a BCP 47 tag: how values are written for other programs */
  readonly locale: string;
}

/** What is done with all selected cells at once: emptying, filling, copying. Each is one step of undo. */
export function useBlockActs({ grid, columns, rows, desk, canWrite, locale }: BlockActsOptions) {
  const blocks = () =>
    selectedBlocks(grid.state).flatMap((rect) => clipped(rect, grid.extent()) ?? []);

  const contentOf = (row: Row, column: Column): Content => {
    const edit = cellsOf(desk.get(), row.key).get(column.name);
    if (edit?.status.is === 'unread') return { typed: edit.text ?? '' };
    return { value: valueShown(edit, row.stored?.dataset[column.name] ?? null) };
  };
  const seenIn = (row: Row, column: Column) =>
    valueShown(
      cellsOf(desk.get(), row.key).get(column.name),
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
    writesOf: (rect: Rect, rows: readonly (Row | null)[]) => readonly CellWrite[],
  ): Promise<void> => {
    if (!canWrite || rects.length === 0) return;
    if (cellCount(rects) > MOST_CELLS) {
      notify(`At most ${shownCount(MOST_CELLS)} cells are changed at once. Select fewer.`);
      return;
    }
    try {
      const read = await Promise.all(rects.map(({ top, bottom }) => rows.readBetween(top, bottom)));
      const writes = rects.flatMap((rect, i) => writesOf(rect, read[i] ?? []));
      if (writes.length > 0) desk.write(writes, label);
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

  /** Writes what stands in the first row (or column) of a block into the others, or goes on with it. */
  const spread = (label: string, source: Rect, target: Rect, down: boolean) => {
    const whole: Rect = {
      top: Math.min(source.top, target.top),
      left: Math.min(source.left, target.left),
      bottom: Math.max(source.bottom, target.bottom),
      right: Math.max(source.right, target.right),
    };
    return act(label, [whole], (_, read) => {
      const rowAt = (index: number) => read[index - whole.top] ?? null;
      const writes: CellWrite[] = [];
      const put = (index: number, column: Column | undefined, content: Content) => {
        const row = rowAt(index);
        // The empty row becomes a new one by being filled, but never a second time.
        if (row && column) writes.push(write(row, column, content));
      };
      const backwards = down ? target.bottom < source.top : target.right < source.left;
      const run = <T>(values: T[]): T[] => (backwards ? values.toReversed() : values);
      if (down) {
        for (const column of columnsIn(source)) {
          const from = run(span(source.top, source.bottom)).flatMap((index) => {
            const row = rowAt(index);
            return row ? contentOf(row, column) : [];
          });
          const onward = goneOn(column, from, rowsOf(target));
          for (const [i, index] of run(span(target.top, target.bottom)).entries()) {
            const content = onward[i];
            if (content) put(index, column, content);
          }
        }
        return writes;
      }
      for (const index of span(source.top, source.bottom)) {
        const row = rowAt(index);
        if (!row) continue;
        const sources = run(columnsIn(source).map((column) => contentOf(row, column)));
        const targets = run(columnsIn(target));
        for (const [i, column] of targets.entries()) {
          const content = sources[i % sources.length];
          if (content) put(index, column, content);
        }
      }
      return writes;
    });
  };

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
      for (const block of blocks()) {
        const down = to === 'down';
        const one = down ? rowsOf(block) === 1 : columnsOf(block) === 1;
        const source = down
          ? { ...block, top: block.top - (one ? 1 : 0), bottom: block.top - (one ? 1 : 0) }
          : { ...block, left: block.left - (one ? 1 : 0), right: block.left - (one ? 1 : 0) };
        const target = one
          ? block
          : { ...block, ...(down ? { top: block.top + 1 } : { left: block.left + 1 }) };
        if (source.top >= 0 && source.left >= 1) {
          void spread(down ? 'filling down' : 'filling to the right', source, target, down);
        }
      }
    },

    /** Goes on with a block over the cells beside it, as its handle was pulled. */
    pull: (source: Rect, target: Rect) =>
      void spread(
        'filling cells',
        source,
        target,
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
        notify(`At most ${shownCount(MOST_CELLS)} cells are copied at once. Use Export.`);
        return true;
      }
      const read = span(block.top, block.bottom).map((index) => rows.at(index));
      if (read.includes(undefined)) {
        void rows
          .readBetween(block.top, block.bottom)
          .then(() => notify('The rows are read now. Copy once more.'))
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

function span(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** The contents that go on from others; texts that cannot be read are repeated. */
function goneOn(column: Column, from: readonly Content[], count: number): Content[] {
  const values = from.flatMap((content): Scalar[] => ('value' in content ? [content.value] : []));
  if (values.length === from.length) {
    return continued(column, values, count).map((value) => ({ value }));
  }
  return Array.from(
    { length: from.length === 0 ? 0 : count },
    (_, i) => from[i % from.length],
  ).filter((content) => content !== undefined);
}
