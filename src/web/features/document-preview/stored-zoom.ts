import { useState } from 'react';
import { readStoredJson, storeText } from '#web/api/browser-storage.ts';
import type { Zoom } from './page-layout.ts';
import type { LengthUnit } from './page-source.ts';

const KEY = 'indexdesk-zoom';
type StoredZooms = Readonly<Record<LengthUnit, Zoom>>;
const DEFAULT_ZOOMS: StoredZooms = { paper: 'width', pixels: 'width', letters: 1 };

/**
 * The zoom of a document: at first the last one of documents of its kind in this browser. A new one is stored for later
 * documents: fitting to width or page for all documents with pages, a factor only for this kind.
 */
export function useZoom(measure: LengthUnit): [zoom: Zoom, zoomTo: (zoom: Zoom) => void] {
  const [zoom, setZoom] = useState(() => read()[measure]);
  const zoomTo = (to: Zoom) => {
    setZoom(to);
    const pages = typeof to !== 'number' && measure !== 'letters';
    const stored = { ...read(), ...(pages ? { paper: to, pixels: to } : { [measure]: to }) };
    storeText(KEY, JSON.stringify(stored));
  };
  return [zoom, zoomTo];
}

function read(): StoredZooms {
  const stored = readStoredJson(KEY);
  if (typeof stored !== 'object' || stored === null) return DEFAULT_ZOOMS;
  const zoomOf = (measure: LengthUnit) => {
    const zoom: unknown = Reflect.get(stored, measure);
    return isZoom(zoom) ? zoom : DEFAULT_ZOOMS[measure];
  };
  return { paper: zoomOf('paper'), pixels: zoomOf('pixels'), letters: zoomOf('letters') };
}

function isZoom(zoom: unknown): zoom is Zoom {
  return zoom === 'width' || zoom === 'page' || (typeof zoom === 'number' && zoom > 0 && zoom <= 8);
}
