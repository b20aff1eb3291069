import { readStoredJson, storeText } from '#web/api/browser-storage.ts';
import type { Zoom } from './page-layout.ts';
import type { LengthUnit } from './page-source.ts';

const KEY = 'indexdesk-zoom';
type StoredZooms = Readonly<Record<LengthUnit, Zoom>>;
const DEFAULT_ZOOMS: StoredZooms = { paper: 'width', pixels: 'width', letters: 1 };

/** The last zoom of documents of this kind in this browser. */
export function readZoom(measure: LengthUnit): Zoom {
  return read()[measure];
}

/**
 * Stores a zoom for later documents: fitting to width or page for all documents with pages, a factor only for this
 * kind.
 */
export function storeZoom(measure: LengthUnit, zoom: Zoom): void {
  const pages = typeof zoom !== 'number' && measure !== 'letters';
  const stored = { ...read(), ...(pages ? { paper: zoom, pixels: zoom } : { [measure]: zoom }) };
  storeText(KEY, JSON.stringify(stored));
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
