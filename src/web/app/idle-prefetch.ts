import { useEffect } from 'react';
import { fetchPatterns } from '#web/api/patterns.ts';
import { underWay } from '#web/api/request.ts';
import { prefetchLazy } from '#web/ui/lazy-component.tsx';

/** The page is idle once no request was sent for so long, in milliseconds: pages send some requests after others. */
const IDLE_AFTER = 300;

/** Loads lazy parts once the first page is idle, so that nothing has to wait for them when it is opened. */
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
      if (underWay.get() > 0 || document.readyState !== 'complete') return check();
      stop();
      onIdle();
    }, IDLE_AFTER);
  };
  const unsubscribe = underWay.subscribe(check);
  const stop = () => {
    clearTimeout(timer);
    unsubscribe();
  };
  check();
  return stop;
}
