import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { connection } from '#web/api/connection.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { isSmall } from './paste-jobs.ts';
import type { Paste } from './use-paste.ts';

const PasteDialog = lazyComponent(async () => (await import('./paste-parts.ts')).PasteDialog, {
  place: 'over',
  holdsKeys: true,
});
const PasteJobDialog = lazyComponent(
  async () => (await import('./paste-parts.ts')).PasteJobDialog,
  {
    place: 'over',
  },
);

/** What a paste shows over the grid. */
export function PasteDialogs({
  paste,
  tableLabel,
  columns,
  onGone,
}: {
  readonly paste: Paste;
  readonly tableLabel: string;
  /** all of the table */
  readonly columns: readonly Column[];
  /** the last of them has gone, and with it the keyboard */
  readonly onGone: () => void;
}) {
  const { preview, job } = paste;
  const isLost = useSyncExternalStore(connection.subscribe, connection.get) === 'lost';
  const { shown } = job;
  const isQuick = (shown?.is === 'going' || shown?.is === 'back') && isSmall(shown.job);
  // What waits for a server can be stopped, however small it is.
  const jobShown = isQuick && !isLost ? null : shown;

  const stands = preview !== null || jobShown !== null;
  const gone = useEffectEvent(() => {
    if (document.activeElement === document.body) onGone();
  });
  useEffect(() => (stands ? () => gone() : undefined), [stands]);

  if (preview) return <PasteDialog paste={paste} preview={preview} tableLabel={tableLabel} />;
  if (!jobShown) return null;
  return <PasteJobDialog jobs={job} shown={jobShown} tableLabel={tableLabel} columns={columns} />;
}
