import * as commonTexts from '#messages/common.ts';
import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { NoticeWithActions, type NotifyAction } from './notice-with-actions.tsx';

export { Notifications } from '@mantine/notifications';

const CLOSE = { 'aria-label': commonTexts.close };
/** Time to read the notice and press an action, in milliseconds. */
const ACTION_STAYS = 10_000;

/** The notice whose actions are still shown; they apply to the last action of the user. */
let actionable: string | null = null;

/**
 * Shows a notice with its actions; see `notify`. A later notice hides the actions of the previous one: *Redo* or *Open*
 * would then no longer refer to the last action.
 */
export function showNotice(message: string, actions: readonly NotifyAction[]): void {
  if (actionable !== null) notifications.hide(actionable);
  actionable = null;
  if (actions.length === 0) {
    notifications.show({ message, withBorder: true, closeButtonProps: CLOSE });
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
    withBorder: true,
    closeButtonProps: CLOSE,
    autoClose: ACTION_STAYS,
  });
}
