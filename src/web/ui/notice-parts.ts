import * as commonTexts from '#messages/common.ts';
import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { NoticeWithActions, type NotifyAction } from './notice-with-actions.tsx';

export { Notifications } from '@mantine/notifications';

const CLOSE = { 'aria-label': commonTexts.close };
/** There is time to read and to press, in milliseconds. */
const ACTION_STAYS = 10_000;

/** The notice whose actions are still shown; they are about what was done last. */
let actionable: string | null = null;

/**
 * Shows a notice with its actions; see `notify`. A later notice hides the actions of the one before: *Redo* or *Open*
 * would then be about something that is no longer the last act.
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
