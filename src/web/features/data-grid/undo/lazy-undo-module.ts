import { lazyUiModule } from '#web/ui/lazy-component.tsx';

/** The code that reverts steps. It is not loaded with the page of a table. */
export const undoModule = lazyUiModule(() => import('./undo-module.ts'));
