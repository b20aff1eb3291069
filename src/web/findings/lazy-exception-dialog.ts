import { lazyComponent } from '#web/ui/lazy-component.tsx';

/** `ExceptionDialog`, loaded when it is first opened. */
export const ExceptionDialog = lazyComponent(
  async () => (await import('./exception-dialog.tsx')).ExceptionDialog,
  { layout: 'overlay', buffersKeys: true },
);
