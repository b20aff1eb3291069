import { lazyUiModule } from '#web/ui/lazy-component.tsx';

const load = () => import('./spread-blocks.ts');

/** The code that continues blocks and series. It is not loaded with the page of a table. */
export const spreadParts = lazyUiModule(load);

export type SpreadParts = Awaited<ReturnType<typeof load>>;
