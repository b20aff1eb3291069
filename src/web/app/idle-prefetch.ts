import { useEffect } from 'react';
import { fetchPatterns } from '#web/api/patterns.ts';
import { activeRequests } from '#web/api/request.ts';
import { prefetchLazy } from '#web/ui/lazy-component.tsx';

/**
 * The page counts as idle if no request was sent for this time, in milliseconds: pages send some requests after others.
 */
const IDLE_AFTER = 300;

/** Loads lazy modules once the first page is idle, so that they open without delay later. */
export function useIdlePrefetch(): void {
  useEffect(
    () =>
      whenIdle(() => {
        fetchPatterns();
        void prefetchLazy();
      }),
    [],
  );
}

function whenIdle(onIdle: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const check = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (activeRequests.get() > 0 || document.readyState !== 'complete') return check();
      stop();
      onIdle();
    }, IDLE_AFTER);
  };
  const unsubscribe = activeRequests.subscribe(check);
  const stop = () => {
    clearTimeout(timer);
    unsubscribe();
  };
  check();
  return stop;
}
