import type { Zoom } from './page-layout.ts';

/** What the size of a page means: so wide on paper, or so many pixels. A factor that suits one does not suit the other. */
export type Measure = 'paper' | 'pixels';

const KEY = 'indexdesk-zoom';
type Kept = Readonly<Record<Measure, Zoom>>;
const USUAL: Kept = { paper: 'width', pixels: 'width' };

/** How pages of this kind were last shown in this browser. */
export function keptZoom(measure: Measure): Zoom {
  return read()[measure];
}

/** Keeps a zoom for the documents to come: how pages fit for all of them, a factor for pages of this kind. */
export function keepZoom(measure: Measure, zoom: Zoom): void {
  const kept: Kept =
    typeof zoom === 'number' ? { ...read(), [measure]: zoom } : { paper: zoom, pixels: zoom };
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage may be forbidden in a browser; each document then starts as wide as its pane.
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
    return { paper: zoomOf('paper'), pixels: zoomOf('pixels') };
  } catch {
    return USUAL;
  }
}

function isZoom(zoom: unknown): zoom is Zoom {
  return zoom === 'width' || zoom === 'page' || (typeof zoom === 'number' && zoom > 0 && zoom <= 8);
}
