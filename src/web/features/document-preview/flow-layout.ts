import type { Zoom } from './page-layout.ts';
import { type PageSize, type Rotation, turned } from './page-source.ts';

/** Marks the sheet that a document without pages stands on, which is drawn larger and turned as a whole. */
export const SHEET = 'data-sheet';

/** What a document without pages needs so that no line of it is broken. */
export interface FlowSize extends PageSize {
  /** up to which factor it is made larger to fill its pane: a page of html fills it by itself */
  readonly most: number;
}

/** Smaller than this nothing can be read: lines are broken and the rest is scrolled to. */
const MIN_SCALE = { width: 0.3, page: 0.2 };

/** How large it is drawn. @param room what is seen of it along its lines and across them, in CSS pixels */
export function flowScale(zoom: Zoom, needed: FlowSize, room: PageSize): number {
  if (typeof zoom === 'number') return zoom;
  const width = room.width / needed.width;
  const fitting = zoom === 'width' ? width : Math.min(width, room.height / needed.height);
  return Math.min(needed.most, Math.max(MIN_SCALE[zoom], fitting));
}

/** The place that it takes, and how it is put there. @param size of it as it is laid out, unturned, at a scale of 1 */
export function placeFlow(size: PageSize, scale: number, rotation: Rotation) {
  const width = size.width * scale;
  const height = size.height * scale;
  const into = {
    0: '',
    90: `translate(${height}px, 0) rotate(90deg) `,
    180: `translate(${width}px, ${height}px) rotate(180deg) `,
    270: `translate(0, ${width}px) rotate(270deg) `,
  }[rotation];
  return { ...turned({ width, height }, rotation), transform: `${into}scale(${scale})` };
}

/** By what part of what is seen it is scrolled so that one reads on by `part`. */
export function readOn(part: number, rotation: Rotation): { left: number; top: number } {
  return {
    0: { left: 0, top: part },
    90: { left: -part, top: 0 },
    180: { left: 0, top: -part },
    270: { left: part, top: 0 },
  }[rotation];
}
