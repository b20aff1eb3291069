import { createStore } from '#web/api/create-store.ts';
import type { Notice, NotifyAction } from './notice-with-actions.tsx';

/** Notices that `Notices` has to show, oldest first. */
export const pendingNotices = createStore<readonly Notice[]>([]);

/** Shows a short temporary notice in a corner, for success; errors are shown in place instead. */
export function notify(message: string, ...actions: readonly NotifyAction[]): void {
  pendingNotices.set([...pendingNotices.get(), { message, actions }]);
}
