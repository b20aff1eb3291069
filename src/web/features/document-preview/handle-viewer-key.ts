import type { KeyboardEvent } from 'react';
import { matches, type Shortcut } from '#web/ui/shortcuts.ts';
import type { Zoom } from './page-layout.ts';
import type { Rotation } from './page-source.ts';
import { VIEWER_KEYS } from './viewer-keys.ts';

/** The actions of a document's keys while it has the focus. */
interface ViewerActions {
  readonly find: () => void;
  readonly zoomTo: (zoom: Zoom) => void;
  readonly zoomBy: (factor: number) => void;
  readonly rotate: () => void;
  /** to the next or the previous page; undefined: there are no pages */
  readonly turn: ((by: 1 | -1) => void) | undefined;
}

/** The zoom factor of one key press or button press. */
export const ZOOM_STEP = 1.2;

export const NEXT_ROTATION: Readonly<Record<Rotation, Rotation>> = {
  0: 90,
  90: 180,
  180: 270,
  270: 0,
};

/** Clamps a factor to the supported range. */
export function clampZoom(factor: number): number {
  return Math.min(8, Math.max(0.1, factor));
}

/** Handles a key of the document; other keys, and typing in a field, are not handled. */
export function handleViewerKey(event: KeyboardEvent, acts: ViewerActions): void {
  const { turn } = acts;
  const byKey: Readonly<Record<Shortcut, () => void>> = {
    [VIEWER_KEYS.find]: acts.find,
    [VIEWER_KEYS.zoomIn]: () => acts.zoomBy(ZOOM_STEP),
    [VIEWER_KEYS.zoomOut]: () => acts.zoomBy(1 / ZOOM_STEP),
    [VIEWER_KEYS.actualSize]: () => acts.zoomTo(1),
    [VIEWER_KEYS.fitWidth]: () => acts.zoomTo('width'),
    [VIEWER_KEYS.fitPage]: () => acts.zoomTo('page'),
    [VIEWER_KEYS.rotate]: acts.rotate,
    ...(turn && { ArrowRight: () => turn(1), ArrowLeft: () => turn(-1) }),
  };
  const field = event.target instanceof HTMLInputElement;
  const key = Object.keys(byKey).find((keys) => matches(keys, event.nativeEvent));
  if (key === undefined || (field && key !== VIEWER_KEYS.find)) return;
  event.preventDefault();
  event.stopPropagation();
  byKey[key]?.();
}
