import { useEffect, useState } from 'react';
import type { PageSource } from './page-source.ts';

/**
 * Whether the visible page is only an image, without text to search or select; false while unknown.
 * @param source the same in each render
 */
export function useIsScannedPage({ text }: PageSource, page: number): boolean {
  const [emptyPage, setEmptyPage] = useState<number | null>(null);
  useEffect(() => {
    if (!text) return undefined;
    let isMounted = true;
    const look = async () => {
      if ((await text(page)).trim() === '' && isMounted) setEmptyPage(page);
    };
    // An unreadable page reports its own error.
    look().catch(() => undefined);
    return () => {
      isMounted = false;
    };
  }, [page, text]);
  return !text || emptyPage === page;
}
