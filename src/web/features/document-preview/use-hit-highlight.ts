import { type RefObject, useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { findText, rangesIn, textIn } from './find-text.ts';
import { highlight } from './highlights.ts';
import type { PageHit } from './use-page-hits.ts';

interface HitHighlightOptions {
  /** the text that is searched; '': the search is closed */
  readonly query: string;
  /** the current hit */
  readonly hit: PageHit | undefined;
  /** the text layers of the rendered pages, by page number (from 1) */
  readonly layers: RefObject<Map<number, HTMLElement>>;
  /** scrolls to the top of a page */
  readonly toPage: (page: number) => void;
}

/**
 * Highlights the hits of a search in the rendered pages, and scrolls the current one into view.
 * @returns highlights again, for a newly rendered page
 */
export function useHitHighlight(options: HitHighlightOptions): () => void {
  const { query, hit, layers: layersRef, toPage } = options;
  /** the page whose current hit must be scrolled into view */
  const pendingPage = useRef<number | null>(null);
  const highlightHits = useCallback(() => {
    const ranges: Range[] = [];
    let current: Range | null = null;
    for (const [page, layer] of layersRef.current) {
      if (!layer.isConnected) layersRef.current.delete(page);
      const found = query.trim() === '' ? [] : rangesIn(layer, findText(textIn(layer), query));
      ranges.push(...found);
      if (hit?.page === page) current = found[hit.within] ?? null;
    }
    highlight(ranges, current);
    if (current && pendingPage.current === hit?.page) {
      pendingPage.current = null;
      current.startContainer.parentElement?.scrollIntoView({ block: 'center' });
    }
  }, [query, hit, layersRef]);
  const hitPage = hit?.page;
  // Only a change of the hit moves the document.
  const goToHit = useEffectEvent((page: number) => {
    pendingPage.current = page;
    if (!layersRef.current.get(page)?.isConnected) toPage(page);
  });
  useEffect(() => {
    if (hitPage !== undefined) goToHit(hitPage);
    highlightHits();
  }, [highlightHits, hitPage]);
  useEffect(() => () => highlight([], null), []);
  return highlightHits;
}
