import { lazyComponent, lazyDialog } from '#web/ui/lazy-component.tsx';

/* The parts of the grid that are loaded when they are first shown. */

export const ColourDialog = lazyComponent(
  async () => (await import('./columns/colour-dialog.tsx')).ColourDialog,
  { layout: 'overlay' },
);
export const DeleteDialog = lazyDialog(
  async () => (await import('./deleted/delete-dialog.tsx')).DeleteDialog,
  { buffersKeys: true },
);
export const ProblemTray = lazyComponent(
  async () => (await import('./problems/problem-tray.tsx')).ProblemTray,
);
export const SelectionStatistics = lazyComponent(
  async () => (await import('./summary/selection-statistics.tsx')).SelectionStatistics,
);
