import { lazyUiModule } from '../ui/lazy-component.tsx';

/** The popovers of the toolbar of a list. */
export const popovers = lazyUiModule(() => import('./popovers.ts'));
