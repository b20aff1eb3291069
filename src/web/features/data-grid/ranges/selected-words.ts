import { formatCount } from '#shared/messages/format.ts';
import { cellCount, type Rect } from '#web/grid/rects.ts';

/** `12 rows by 3 columns selected`, as it is told to screen readers. */
export function selectedWords(blocks: readonly Rect[]): string {
  const [block, another] = blocks;
  if (!block || another)
    return `${formatCount(cellCount(blocks))} cells selected in ${blocks.length} blocks`;
  const rows = block.bottom - block.top + 1;
  const columns = block.right - block.left + 1;
  return `${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'} by ${columns} ${columns === 1 ? 'column' : 'columns'} selected`;
}
