import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { NoticeWithAction } from './notice-with-action.tsx';

interface NotifyAction {
  readonly label: string;
  readonly onPress: () => void;
}

const CLOSE = { 'aria-label': 'Close' };
/** There is time to read and to press, in milliseconds. */
const ACTION_STAYS = 10_000;

/** Small passing words in a corner, for what went well; errors stand where they belong instead. */
export function notify(message: string, action?: NotifyAction): void {
  if (!action) {
    notifications.show({ message, withBorder: true, closeButtonProps: CLOSE });
    return;
  }
  const id = crypto.getRandomValues(new Uint32Array(2)).join('-');
  const onPress = () => {
    notifications.hide(id);
    action.onPress();
  };
  notifications.show({
    id,
    message: createElement(NoticeWithAction, { message, label: action.label, onPress }),
    withBorder: true,
    closeButtonProps: CLOSE,
    autoClose: ACTION_STAYS,
  });
}
