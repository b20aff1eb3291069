import { lazyPart } from '#web/ui/lazy-component.tsx';

/** The code that continues blocks and series. It is not loaded with the page of a table. */
export const spreadParts = lazyPart(() => import('./spread.ts'));
