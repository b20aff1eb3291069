import { clampWidth } from './column-widths.ts';

/** The cell's padding and border; the heading also has icons of its type and of its order. */
const CELL_EXTRA = 23;
const HEADING_EXTRA = 60;
/** If the browser cannot measure text: the mean width of a character in the font of lists. */
const MEAN_CHARACTER = 7.2;

/**
 * The width in pixels at which a column shows its heading and these texts completely, within the limits of a column.
 * @param texts of the rows that are loaded
 * @param list the element with the font of the cells; null: the widths are estimated
 */
export function fittingWidth(
  label: string,
  texts: readonly string[],
  list: HTMLElement | null,
): number {
  const width = textMeasure(list);
  const needed = texts.reduce(
    (widest, text) => Math.max(widest, width(text) + CELL_EXTRA),
    width(label) + HEADING_EXTRA,
  );
  return clampWidth(Math.ceil(needed));
}

function textMeasure(list: HTMLElement | null): (text: string) => number {
  const context = list && document.createElement('canvas').getContext('2d');
  if (!context) return (text) => text.length * MEAN_CHARACTER;
  const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(list);
  context.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
  return (text) => context.measureText(text).width;
}
