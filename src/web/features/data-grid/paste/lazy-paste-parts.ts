import { lazyPart } from '#web/ui/lazy-component.tsx';

/** Code that is not needed before the first paste. */
export const pasteParts = lazyPart(() => import('./paste-parts.ts'));
