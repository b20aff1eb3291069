import type { Zoom } from './page-layout.ts';
import type { Measure } from './page-source.ts';

const KEY = 'indexdesk-zoom';
type Kept = Readonly<Record<Measure, Zoom>>;
const USUAL: Kept = { paper: 'width', pixels: 'width', letters: 1 };

/** The last zoom of documents of this kind in this browser. */
export function keptZoom(measure: Measure): Zoom {
  return read()[measure];
}

/**
 * Stores a zoom for later documents: fitting to width or page for all documents with pages, a factor only for this
 * kind.
 */
export function keepZoom(measure: Measure, zoom: Zoom): void {
  const pages = typeof zoom !== 'number' && measure !== 'letters';
  const kept = { ...read(), ...(pages ? { paper: zoom, pixels: zoom } : { [measure]: zoom }) };
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage may be disabled in a browser; each document then starts at the width of its pane.
  }
}

function read(): Kept {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '');
    if (typeof kept !== 'object' || kept === null) return USUAL;
    const zoomOf = (measure: Measure) => {
      const zoom: unknown = Reflect.get(kept, measure);
      return isZoom(zoom) ? zoom : USUAL[measure];
    };
    return { paper: zoomOf('paper'), pixels: zoomOf('pixels'), letters: zoomOf('letters') };
  } catch {
    return USUAL;
  }
}

function isZoom(zoom: unknown): zoom is Zoom {
  return zoom === 'width' || zoom === 'page' || (typeof zoom === 'number' && zoom > 0 && zoom <= 8);
}
