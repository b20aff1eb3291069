import type { Zoom } from './page-layout.ts';
import type { Measure } from './page-source.ts';

const KEY = 'indexdesk-zoom';
type StoredZooms = Readonly<Record<Measure, Zoom>>;
const DEFAULT_ZOOMS: StoredZooms = { paper: 'width', pixels: 'width', letters: 1 };

/** The last zoom of documents of this kind in this browser. */
export function readZoom(measure: Measure): Zoom {
  return read()[measure];
}

/**
 * Stores a zoom for later documents: fitting to width or page for all documents with pages, a factor only for this
 * kind.
 */
export function storeZoom(measure: Measure, zoom: Zoom): void {
  const pages = typeof zoom !== 'number' && measure !== 'letters';
  const stored = { ...read(), ...(pages ? { paper: zoom, pixels: zoom } : { [measure]: zoom }) };
  try {
    localStorage.setItem(KEY, JSON.stringify(stored));
  } catch {
    // Storage may be disabled in a browser; each document then starts at the width of its pane.
  }
}

function read(): StoredZooms {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '');
    if (typeof stored !== 'object' || stored === null) return DEFAULT_ZOOMS;
    const zoomOf = (measure: Measure) => {
      const zoom: unknown = Reflect.get(stored, measure);
      return isZoom(zoom) ? zoom : DEFAULT_ZOOMS[measure];
    };
    return { paper: zoomOf('paper'), pixels: zoomOf('pixels'), letters: zoomOf('letters') };
  } catch {
    return DEFAULT_ZOOMS;
  }
}

function isZoom(zoom: unknown): zoom is Zoom {
  return zoom === 'width' || zoom === 'page' || (typeof zoom === 'number' && zoom > 0 && zoom <= 8);
}
