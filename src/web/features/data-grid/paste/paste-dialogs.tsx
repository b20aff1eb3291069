import { PasteDialog } from './paste-dialog.tsx';
import { PasteJobDialog } from './paste-job.tsx';
import { isSmall } from './use-paste-job.ts';
import type { Paste } from './use-paste.ts';

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
