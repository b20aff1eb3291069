import { createStore } from '#web/api/create-store.ts';
import { lazyPart } from './lazy-component.tsx';
import type { NotifyAction } from './notice-with-actions.tsx';

interface Notice {
  readonly message: string;
  readonly actions: readonly NotifyAction[];
}

/** What shows notices; it comes when the page stands. */
export const noticeParts = lazyPart(() => import('./notice-parts.ts'));
/** Notices that `Notices` is to show, the oldest first. */
export const waitingNotices = createStore<readonly Notice[]>([]);

/** Small passing words in a corner, for what went well; errors stand where they belong instead. */
export function notify(message: string, ...actions: readonly NotifyAction[]): void {
  waitingNotices.set([...waitingNotices.get(), { message, actions }]);
}
