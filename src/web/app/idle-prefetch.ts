import { useEffect } from 'react';
import { fetchPatterns } from '#web/api/patterns.ts';
import { underWay } from '#web/api/request.ts';
import { prefetchLazy } from '#web/ui/lazy-component.tsx';

/** So long nothing must have been asked of the service, in milliseconds: a page asks for some things once it has others. */
const QUIET = 300;

/** Once the first page stands, fetches what pages come without, so that nothing that is pressed has to wait for it. */
export function useIdlePrefetch(): void {
  useEffect(
    () =>
      whenQuiet(() => {
        fetchPatterns();
        void prefetchLazy();
      }),
    [],
  );
}

function whenQuiet(then: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const look = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (underWay.get() > 0 || document.readyState !== 'complete') return look();
      stop();
      then();
    }, QUIET);
  };
  const leave = underWay.subscribe(look);
  const stop = () => {
    clearTimeout(timer);
    leave();
  };
  look();
  return stop;
}
