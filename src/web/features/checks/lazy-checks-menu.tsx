import { useLazyModule } from '#web/ui/lazy-component.tsx';
import { LazyModuleError } from '#web/ui/lazy-module-error.tsx';
import { lazyModule } from '#web/ui/lazy-module.ts';
import type { ChecksMenuProps } from './checks-menu.tsx';

// Its button needs nothing of the component library, which would be loaded too early with it.
const module = lazyModule(() => import('./checks-menu.tsx'));

/** The menu of checks, which no page begins with. */
export function LazyChecksMenu(props: ChecksMenuProps) {
  const [loaded, retry] = useLazyModule(module, true);
  if (loaded) return <loaded.ChecksMenu {...props} />;
  return retry && <LazyModuleError place="over" onAgain={retry} />;
}
