import { useLazyModule } from '#web/ui/lazy-component.tsx';
import { lazyModule } from '#web/ui/lazy-module.ts';
import type { GridChecksProps } from './grid-checks.ts';

/** The code that evaluates checks in the grid, and shows findings at the focused cell. */
export const gridChecks = lazyModule(() => import('./grid-checks.ts'));

/** If it cannot be loaded, only the service reports problems. */
export function LazyGridChecks(props: GridChecksProps) {
  const [loaded] = useLazyModule(gridChecks, true);
  return loaded && <loaded.GridChecks {...props} />;
}
