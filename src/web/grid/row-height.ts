/** Pixels of a row with one line, and of the headings. */
export const ROW_HEIGHT = 31;
const LINE_HEIGHT = 18;

/** The height in pixels of a row with this many lines. */
export function rowHeightFor(lines: number): number {
  return ROW_HEIGHT + (lines - 1) * LINE_HEIGHT;
}
