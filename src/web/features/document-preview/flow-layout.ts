import type { Zoom } from './page-layout.ts';
import { type PageSize, type Rotation, rotatedSize } from './page-source.ts';

/** Marks the sheet of a document without pages, which is scaled and rotated as a whole. */
export const SHEET = 'data-sheet';

/** The size that a document without pages needs to be shown without wrapping its lines. */
export interface FlowSize extends PageSize {
  /** maximum scale for filling its pane: an HTML page fills it by itself */
  readonly maxScale: number;
}

/** Minimum scale for legible text: below it lines are wrapped and the rest is scrolled. */
const MIN_SCALE = { width: 0.3, page: 0.2 };

/** The scale. @param room the visible size along its lines and across them, in CSS pixels */
export function flowScale(zoom: Zoom, needed: FlowSize, paneSize: PageSize): number {
  if (typeof zoom === 'number') return zoom;
  const width = paneSize.width / needed.width;
  const fitting = zoom === 'width' ? width : Math.min(width, paneSize.height / needed.height);
  return Math.min(needed.maxScale, Math.max(MIN_SCALE[zoom], fitting));
}

/** The size and the transform of the sheet. @param size of its layout, not rotated, at a scale of 1 */
export function placeFlow(size: PageSize, scale: number, rotation: Rotation) {
  const width = size.width * scale;
  const height = size.height * scale;
  const into = {
    0: '',
    90: `translate(${height}px, 0) rotate(90deg) `,
    180: `translate(${width}px, ${height}px) rotate(180deg) `,
    270: `translate(0, ${width}px) rotate(270deg) `,
  }[rotation];
  return { ...rotatedSize({ width, height }, rotation), transform: `${into}scale(${scale})` };
}

/** The scroll distance as a fraction of the visible size, for reading on by `part`. */
export function readOn(part: number, rotation: Rotation): { left: number; top: number } {
  return {
    0: { left: 0, top: part },
    90: { left: -part, top: 0 },
    180: { left: 0, top: -part },
    270: { left: part, top: 0 },
  }[rotation];
}
