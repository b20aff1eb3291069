import { lazyUiModule } from '#web/ui/lazy-component.tsx';

const load = () => import('./fill-blocks.ts');

/** The code that continues blocks and series. It is not loaded with the page of a table. */
export const fillModule = lazyUiModule(load);

export type FillModule = Awaited<ReturnType<typeof load>>;
