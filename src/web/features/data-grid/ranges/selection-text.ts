import * as texts from '#messages/tables.ts';
import { cellCount, type Rect } from '#web/grid/rects.ts';

/** What screen readers announce about the selection: `12 rows by 3 columns selected.` */
export function selectionText(blocks: readonly Rect[]): string {
  const [block, another] = blocks;
  return !block || another
    ? texts.selectedBlocks({ cells: cellCount(blocks), blocks: blocks.length })
    : texts.selectedBlock({
        rows: block.bottom - block.top + 1,
        columns: block.right - block.left + 1,
      });
}
