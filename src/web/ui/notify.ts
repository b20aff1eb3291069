import { watched } from '#web/api/watched.ts';
import { laterPart } from './later.tsx';
import type { NotifyAction } from './notice-with-actions.tsx';

interface Notice {
  readonly message: string;
  readonly actions: readonly NotifyAction[];
}

/** What shows notices; it comes when the page stands. */
export const noticeParts = laterPart(() => import('./notice-parts.ts'));
/** Notices that `Notices` is to show, the oldest first. */
export const waitingNotices = watched<readonly Notice[]>([]);

/** Small passing words in a corner, for what went well; errors stand where they belong instead. */
export function notify(message: string, ...actions: readonly NotifyAction[]): void {
  waitingNotices.set([...waitingNotices.get(), { message, actions }]);
}
