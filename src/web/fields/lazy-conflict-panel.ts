import { lazyComponent } from '#web/ui/lazy-component.tsx';

/** Loaded with the first conflict, or while the browser is idle. */
export const ConflictPanel = lazyComponent(
  async () => (await import('./conflict-panel.tsx')).ConflictPanel,
);
