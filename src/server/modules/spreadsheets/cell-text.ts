import { type Cell, dateCellText } from '#shared/rules/spreadsheets.ts';

/** The displayed text of a cell. */
export function cellText(cell: Cell): string {
  if (cell instanceof Date) return dateCellText(cell);
  return cell === null ? '' : String(cell);
}
