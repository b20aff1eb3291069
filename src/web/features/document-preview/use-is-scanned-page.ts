import { useEffect, useState } from 'react';
import type { PageSource } from './page-source.ts';

/** Whether the visible page is only an image, without text to search or select; false while unknown. */
export function useIsScannedPage(source: PageSource, page: number): boolean {
  const [scanned, setScanned] = useState<{
    source: PageSource;
    page: number;
    empty: boolean;
  } | null>(null);
  const { text } = source;
  useEffect(() => {
    if (!text) return undefined;
    let isMounted = true;
    const look = async () => {
      const empty = (await text(page)).trim() === '';
      if (isMounted) setScanned({ source, page, empty });
    };
    // An unreadable page reports its own error.
    look().catch(() => undefined);
    return () => {
      isMounted = false;
    };
  }, [source, page, text]);
  if (!text) return true;
  return scanned?.source === source && scanned.page === page && scanned.empty;
}
