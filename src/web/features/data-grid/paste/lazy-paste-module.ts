import { lazyUiModule } from '#web/ui/lazy-component.tsx';

/** Code that is not needed before the first paste. */
export const pasteModule = lazyUiModule(() => import('./paste-module.ts'));
