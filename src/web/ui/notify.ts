import { createStore } from '#web/api/create-store.ts';
import type { Notice, NotifyAction } from './notice-with-actions.tsx';

/** Notices that `Notices` has to show, oldest first. */
export const pendingNotices = createStore<readonly Notice[]>([]);

const notifier =
  (isFailure: boolean) =>
  (message: string, ...actions: readonly NotifyAction[]): void =>
    pendingNotices.set([...pendingNotices.get(), { message, actions, isFailure }]);

/** Shows a short temporary notice in a corner. */
export const notify = notifier(false);

/** Shows a notice of a failure, in red and for longer. Errors that have a place on the page are shown there instead. */
export const notifyFailure = notifier(true);
