import * as texts from '#messages/queue-progress.ts';
import type { QueueNavigator } from './use-queue.ts';

/** `12 corrected · 3 unchanged · 2 skipped · 1 deleted by others` */
export function countsText({
  corrected,
  unchanged,
  skipped,
  gone,
}: QueueNavigator['counts']): string {
  return [
    corrected > 0 && texts.corrected(corrected),
    unchanged > 0 && texts.unchanged(unchanged),
    skipped > 0 && texts.skipped(skipped),
    gone > 0 && texts.deletedByOthers(gone),
  ]
    .filter(Boolean)
    .join(' · ');
}
