import { createStore } from '#web/api/create-store.ts';
import type { Reasons } from './reason-list.tsx';
import type { Notice, NotifyAction } from './notice-with-actions.tsx';

/** Notices that `Notices` has to show, oldest first. */
export const pendingNotices = createStore<readonly Notice[]>([]);

const add = (notice: Notice) => pendingNotices.set([...pendingNotices.get(), notice]);

const notifier =
  (isFailure: boolean) =>
  (message: string, ...actions: readonly NotifyAction[]): void =>
    add({ message, actions, isFailure, reasons: null });

/** Shows a short temporary notice in a corner. */
export const notify = notifier(false);

/** Shows a notice of a failure, in red and for longer. Errors that have a place on the page are shown there instead. */
export const notifyFailure = notifier(true);

/** Shows a notice: in a dialog with the reasons if there are several, which stays until it is closed. */
export const notifyReasons = (
  message: string,
  reasons: Reasons | null,
  ...actions: readonly NotifyAction[]
): void => add({ message, actions, isFailure: false, reasons });
