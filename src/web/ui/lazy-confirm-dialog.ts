import { lazyDialog } from './lazy-component.tsx';

/** `ConfirmDialog`, loaded when it is first opened. */
export const ConfirmDialog = lazyDialog(
  async () => (await import('./confirm-dialog.tsx')).ConfirmDialog,
);
