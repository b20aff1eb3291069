import * as commonTexts from '#messages/common.ts';
import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { NoticeWithActions, type Notice } from './notice-with-actions.tsx';
import { showReasons } from './reason-notice.tsx';

export { Notifications } from '@mantine/notifications';
export { ReasonNotice } from './reason-notice.tsx';

const COMMON = { withBorder: true, closeButtonProps: { 'aria-label': commonTexts.close } };
/** Time to read the notice and press an action, in milliseconds. */
const ACTION_STAYS = 10_000;
/** Time to read what failed and why, in milliseconds. Not for ever: only three notices are shown at a time. */
const FAILURE = { color: 'red', autoClose: 20_000 };

/** The notice whose actions are still shown; they apply to the last action of the user. */
let actionable: string | null = null;

/**
 * Shows a notice with its actions; see `notify`. A later notice hides the actions of the previous one: *Redo* or *Open*
 * would then no longer refer to the last action.
 */
export function showNotice({ message, actions, isFailure, reasons }: Notice): void {
  if (actionable !== null) notifications.hide(actionable);
  actionable = null;
  if (reasons && reasons.items.length > 1) {
    showReasons(message, reasons);
    return;
  }
  if (actions.length === 0) {
    notifications.show({ message, ...COMMON, ...(isFailure && FAILURE) });
    return;
  }
  const id = crypto.getRandomValues(new Uint32Array(2)).join('-');
  actionable = id;
  const closing = actions.map(({ label, onPress }) => ({
    label,
    onPress: () => {
      notifications.hide(id);
      onPress();
    },
  }));
  notifications.show({
    id,
    message: createElement(NoticeWithActions, { message, actions: closing }),
    ...COMMON,
    autoClose: ACTION_STAYS,
    ...(isFailure && FAILURE),
  });
}
