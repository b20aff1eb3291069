import { later } from '#web/ui/later.tsx';
import { isSmall } from './use-paste-job.ts';
import type { Paste } from './use-paste.ts';

const PasteDialog = later(async () => (await import('./paste-dialog.tsx')).PasteDialog, {
  place: 'over',
});
const PasteJobDialog = later(async () => (await import('./paste-job.tsx')).PasteJobDialog, {
  place: 'over',
});

/** What a paste shows over the grid. */
export function PasteDialogs({
  paste,
  tableLabel,
}: {
  readonly paste: Paste;
  readonly tableLabel: string;
}) {
  const { preview, job } = paste;
  if (preview) return <PasteDialog paste={paste} preview={preview} tableLabel={tableLabel} />;
  if (!job.shown || (job.shown.is === 'going' && isSmall(job.shown.job))) return null;
  return <PasteJobDialog jobs={job} shown={job.shown} tableLabel={tableLabel} />;
}
