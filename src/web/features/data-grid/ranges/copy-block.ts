import type { Column } from '#shared/rules/definitions.ts';
import { userLocale } from '#shared/messages/format.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import type { Rect } from '#web/grid/rects.ts';
import { notify, notifyFailure } from '#web/ui/notify.ts';
import type { TableRow, TableRows } from '../rows/use-rows.ts';
import { type ClipboardCell, formatForClipboard } from './clipboard-content.ts';
import { OWN_TYPE } from './own-cells.ts';
import { span } from './span.ts';
import * as texts from '#messages/tables.ts';

interface CopyContext<Shown extends Column> {
  /** of the block */
  readonly columns: readonly Shown[];
  readonly rows: TableRows;
  readonly contentOf: (row: TableRow, column: Shown) => ClipboardCell;
}

/** Writes a block to the clipboard of an event. @returns whether there is something to copy */
export function copyBlock<Shown extends Column>(
  clipboard: DataTransfer,
  block: Rect,
  { columns, rows, contentOf }: CopyContext<Shown>,
): boolean {
  const read = rowsToCopy(block, rows);
  const contents = read?.map((row) => columns.map((column) => contentOf(row, column)));
  if (contents?.length === 0) return false;
  if (contents) writeClipboard(clipboard, columns, contents);
  return true;
}

/** The rows of a block; null: some are missing, and are loaded, with a notice. */
function rowsToCopy({ top, bottom }: Rect, rows: TableRows): readonly TableRow[] | null {
  const read = span(top, bottom).map((index) => rows.at(index));
  if (!read.includes(undefined)) {
    return read.flatMap((row) => (row && row.kind !== 'empty' ? row : []));
  }
  rows.readBetween(top, bottom).then(
    () => notify(texts.copyAgain),
    (error: unknown) => notifyFailure(texts.notCopied(summary(toFailure(error)))),
  );
  return null;
}

function writeClipboard(
  clipboard: DataTransfer,
  columns: readonly Column[],
  contents: readonly (readonly ClipboardCell[])[],
): void {
  const { text, html, own } = formatForClipboard(columns, contents, userLocale());
  clipboard.setData('text/plain', text);
  clipboard.setData('text/html', html);
  clipboard.setData(OWN_TYPE, own);
}
