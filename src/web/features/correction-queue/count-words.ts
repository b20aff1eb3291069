import { formatCount } from '#shared/messages/format.ts';
import type { QueueNavigator } from './use-queue.ts';

/** `12 corrected · 3 unchanged · 2 skipped · 1 deleted by others` */
export function countWords({
  corrected,
  unchanged,
  skipped,
  gone,
}: QueueNavigator['counts']): string {
  return [
    corrected > 0 && `${formatCount(corrected)} corrected`,
    unchanged > 0 && `${formatCount(unchanged)} unchanged`,
    skipped > 0 && `${formatCount(skipped)} skipped`,
    gone > 0 && `${formatCount(gone)} deleted by others`,
  ]
    .filter(Boolean)
    .join(' · ');
}
