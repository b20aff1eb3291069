import { type RefObject, useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { spellingsOf } from '#shared/checks/page-spellings.ts';
import { foldWithOffsets, placesOf } from '#shared/checks/page-text.ts';
import type { ReadableStore } from '#web/api/create-store.ts';
import type { HighlightedValue } from '#web/fields/highlighted-value.ts';
import { type Hit, rangesIn, textIn } from './find-text.ts';
import { highlightValue } from './highlights.ts';
import type { PageSource } from './page-source.ts';

/** The value of the focused field; null: there is no form next to the document. */
export type HighlightStore = ReadableStore<HighlightedValue | null> | null;

/** Finds the page's text at the place of a value that the page lacks. */
export interface PageSuggestionFinder {
  /** clears the suggestion for the focused field */
  readonly clear: () => void;
  readonly find: (
    source: PageSource,
    value: HighlightedValue,
    isOutdated: () => boolean,
  ) => Promise<void>;
}

/** Only the first pages of longer documents are searched. */
const MAX_PAGES = 50;

interface ValueHighlightOptions {
  readonly source: PageSource;
  readonly highlightedValue: HighlightStore;
  readonly suggestionFinder: PageSuggestionFinder | null;
  /** the text layers of the rendered pages, by page number (from 1) */
  readonly layers: RefObject<ReadonlyMap<number, HTMLElement>>;
  /** scrolls to the top of a page */
  readonly toPage: (page: number) => void;
}

/**
 * Highlights the occurrences of the focused field's value in the rendered pages. When another field gets the focus, the
 * first occurrence is scrolled into view; typing scrolls nothing.
 * @returns highlights again, for a newly rendered page
 */
export function useValueHighlight(options: ValueHighlightOptions): () => void {
  const { source, highlightedValue, layers: layersRef } = options;
  const pattern = useRef<RegExp | null>(null);
  /** the page whose first occurrence must be scrolled into view */
  const pendingPage = useRef<number | null>(null);
  const highlightOccurrences = useCallback(() => {
    const ranges: Range[] = [];
    for (const [page, layer] of layersRef.current) {
      const found =
        pattern.current && layer.isConnected
          ? rangesIn(layer, hitsIn(textIn(layer), pattern.current))
          : [];
      ranges.push(...found);
      if (page !== pendingPage.current || !found[0]) continue;
      pendingPage.current = null;
      found[0].startContainer.parentElement?.scrollIntoView({ block: 'nearest' });
    }
    highlightValue(ranges);
  }, [layersRef]);
  const findOffer = useEffectEvent((value: HighlightedValue, isOutdated: () => boolean) =>
    options.suggestionFinder?.find(source, value, isOutdated),
  );
  const clear = useEffectEvent(() => options.suggestionFinder?.clear());
  const goTo = useEffectEvent((page: number) => {
    pendingPage.current = page;
    if (!layersRef.current.get(page)?.isConnected) options.toPage(page);
    highlightOccurrences();
  });
  useEffect(() => {
    if (!highlightedValue) return undefined;
    let isEnded = false;
    let path: string | null = null;
    const update = async () => {
      const value = highlightedValue.get();
      const isOtherField = value !== null && value.path !== path;
      path = value?.path ?? null;
      const isOutdated = () => isEnded || highlightedValue.get() !== value;
      if (isOtherField || value === null) clear();
      pattern.current = value && spellingsOf(value.type, value.value);
      pendingPage.current = null;
      highlightOccurrences();
      if (!isOtherField) return;
      const page = pattern.current ? await pageWith(source, pattern.current, isOutdated) : null;
      if (isOutdated()) return;
      if (page === null) await findOffer(value, isOutdated);
      else goTo(page);
    };
    // An unreadable page is not searched.
    const show = () => void update().catch(() => undefined);
    show();
    const unsubscribe = highlightedValue.subscribe(show);
    return () => {
      isEnded = true;
      unsubscribe();
      highlightValue([]);
    };
  }, [source, highlightedValue, highlightOccurrences]);
  return highlightOccurrences;
}

/** The matches of a pattern of `spellingsOf` in a text. */
export function hitsIn(text: string, pattern: RegExp): readonly Hit[] {
  return placesOf(foldWithOffsets(text), pattern, text.length);
}

/** The first page that contains a value; null: none. */
async function pageWith(
  { pageCount, text }: PageSource,
  pattern: RegExp,
  isOutdated: () => boolean,
): Promise<number | null> {
  if (!text) return null;
  for (let page = 1; page <= Math.min(pageCount, MAX_PAGES); page++) {
    const content = await text(page);
    if (isOutdated()) return null;
    if (hitsIn(content, pattern).length > 0) return page;
  }
  return null;
}
