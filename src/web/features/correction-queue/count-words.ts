import { shownCount } from '#web/api/reader.ts';
import type { QueueWalk } from './use-queue.ts';

/** `12 corrected · 3 unchanged · 2 skipped · 1 deleted by others` */
export function countWords({ corrected, unchanged, skipped, gone }: QueueWalk['counts']): string {
  return [
    corrected > 0 && `${shownCount(corrected)} corrected`,
    unchanged > 0 && `${shownCount(unchanged)} unchanged`,
    skipped > 0 && `${shownCount(skipped)} skipped`,
    gone > 0 && `${shownCount(gone)} deleted by others`,
  ]
    .filter(Boolean)
    .join(' · ');
}
