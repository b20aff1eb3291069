import { useLazyModule } from '#web/ui/lazy-component.tsx';
import { LazyModuleError } from '#web/ui/lazy-module-error.tsx';
import { lazyModule } from '#web/ui/lazy-module.ts';
import type { ChecksMenuProps } from './checks-menu.tsx';

// A separate lazy module: its button does not need the component library, which would otherwise be loaded too early.
const module = lazyModule(() => import('./checks-menu.tsx'));

/** The menu of checks, not part of the first load of any page. */
export function LazyChecksMenu(props: ChecksMenuProps) {
  const [loaded, retry] = useLazyModule(module, true);
  if (loaded) return <loaded.ChecksMenu {...props} />;
  return retry && <LazyModuleError layout="overlay" onRetry={retry} />;
}
