import { useEffect, useState } from 'react';
import type { PageSource } from './page-source.ts';

/** Whether the page in view is a picture only, without text to search or select; false while it is not known. */
export function useScan(source: PageSource, page: number): boolean {
  const [told, setTold] = useState<{ source: PageSource; page: number; empty: boolean } | null>(
    null,
  );
  const { text } = source;
  useEffect(() => {
    if (!text) return undefined;
    let here = true;
    const look = async () => {
      const empty = (await text(page)).trim() === '';
      if (here) setTold({ source, page, empty });
    };
    // A page that cannot be read says so itself.
    look().catch(() => undefined);
    return () => {
      here = false;
    };
  }, [source, page, text]);
  if (!text) return true;
  return told?.source === source && told.page === page && told.empty;
}
