import { useLazyModule } from '#web/ui/lazy-component.tsx';
import { lazyModule } from '#web/ui/lazy-module.ts';
import type { GridChecksProps } from './grid-checks.ts';

/** What evaluates checks in the grid, and says at the focused cell what they find. */
export const gridChecks = lazyModule(() => import('./grid-checks.ts'));

/** Where it cannot be loaded, the service alone says what is wrong. */
export function LazyGridChecks(props: GridChecksProps) {
  const [loaded] = useLazyModule(gridChecks, true);
  return loaded && <loaded.GridChecks {...props} />;
}
