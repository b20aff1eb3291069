import { useSyncExternalStore } from 'react';
import type { Column } from '#shared/definitions.ts';
import { connection } from '#web/api/connection.ts';
import { later } from '#web/ui/later.tsx';
import { isSmall } from './use-paste-job.ts';
import type { Paste } from './use-paste.ts';

const PasteDialog = later(async () => (await import('./paste-parts.ts')).PasteDialog, {
  place: 'over',
  holdsKeys: true,
});
const PasteJobDialog = later(async () => (await import('./paste-parts.ts')).PasteJobDialog, {
  place: 'over',
});

/** What a paste shows over the grid. */
export function PasteDialogs({
  paste,
  tableLabel,
  columns,
}: {
  readonly paste: Paste;
  readonly tableLabel: string;
  /** all of the table */
  readonly columns: readonly Column[];
}) {
  const { preview, job } = paste;
  const isLost = useSyncExternalStore(connection.subscribe, connection.get) === 'lost';
  if (preview) return <PasteDialog paste={paste} preview={preview} tableLabel={tableLabel} />;
  const isQuick = job.shown?.is === 'going' && isSmall(job.shown.job);
  // What waits for a server can be stopped, however small it is.
  if (!job.shown || (isQuick && !isLost)) return null;
  return <PasteJobDialog jobs={job} shown={job.shown} tableLabel={tableLabel} columns={columns} />;
}
