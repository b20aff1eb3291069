import { useEffect, useState } from 'react';
import { findText } from './find-text.ts';
import type { PageSource } from './page-source.ts';

/** A hit by its page (from 1) and its index on that page. */
export interface PageHit {
  readonly page: number;
  readonly within: number;
}

/** The results of a search; `hits` null: not known yet. */
interface Found {
  readonly query: string;
  readonly hits: readonly PageHit[] | null;
}

/** The hits of a text in all pages that were searched. @param source the same in each render */
export function usePageHits(source: PageSource, query: string) {
  const [found, setFound] = useState<Found>({ query: '', hits: [] });
  const [index, setIndex] = useState(0);
  if (found.query !== query) {
    setFound({ query, hits: query.trim() === '' ? [] : null });
    setIndex(0);
  }
  useEffect(() => {
    if (query.trim() === '') return undefined;
    let isMounted = true;
    const search = async (text: (page: number) => Promise<string>) => {
      const hits: PageHit[] = [];
      for (let page = 1; page <= source.pageCount; page++) {
        const content = await text(page);
        if (!isMounted) return;
        findText(content, query).forEach((_, within) => hits.push({ page, within }));
        // In long documents the first results are shown at once.
        if (page % 50 === 0 && hits.length > 0) setFound({ query, hits: [...hits] });
      }
      setFound({ query, hits });
    };
    const none = () => isMounted && setFound({ query, hits: [] });
    const timer = setTimeout(() => {
      if (source.text) search(source.text).catch(none);
      else none();
    }, 120);
    return () => {
      isMounted = false;
      clearTimeout(timer);
    };
  }, [source, query]);
  const count = found.hits?.length ?? 0;
  return {
    hits: found.hits,
    /** of the present hit, from 0 */
    index,
    step: (by: 1 | -1) => {
      if (count > 0) setIndex((index + by + count) % count);
    },
  };
}
