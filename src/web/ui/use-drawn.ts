import { useEffect, useState } from 'react';

/**
 * Whether the browser has painted what an id stands for, so that a key press can be an answer to it. False again as
 * soon as another id is given. Acts that write ask this first: a key that was pressed before the paint was not meant.
 * @param shown the id of what this render shows; null where it shows nothing to answer yet
 */
export function useDrawn(shown: string | null): boolean {
  const [drawn, setDrawn] = useState<string | null>(null);
  useEffect(() => {
    if (shown === null) return undefined;
    // The first callback runs before the paint of this render, the second one after it.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setDrawn(shown));
    });
    return () => cancelAnimationFrame(frame);
  }, [shown]);
  return shown !== null && drawn === shown;
}
