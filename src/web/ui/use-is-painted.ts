import { useEffect, useState } from 'react';

/**
 * Whether the browser has painted the content with an id, so that a key press can refer to it. False again as soon as
 * the id changes. Actions that write check this first: a key that was pressed before the paint was meant for something
 * else.
 * @param shown the id of the content of this render; null if there is none yet
 */
export function useIsPainted(shown: string | null): boolean {
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
