import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { NoticeWithActions, type NotifyAction } from './notice-with-actions.tsx';

export { Notifications } from '@mantine/notifications';

const CLOSE = { 'aria-label': 'Close' };
/** There is time to read and to press, in milliseconds. */
const ACTION_STAYS = 10_000;

/** Shows a notice, with what can be done about it; see `notify`. */
export function showNotice(message: string, actions: readonly NotifyAction[]): void {
  if (actions.length === 0) {
    notifications.show({ message, withBorder: true, closeButtonProps: CLOSE });
    return;
  }
  const id = crypto.getRandomValues(new Uint32Array(2)).join('-');
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
