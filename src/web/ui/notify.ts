import { notifications } from '@mantine/notifications';

/** Small passing words in a corner, for what went well; errors stand where they belong instead. */
export function notify(message: string): void {
  notifications.show({ message, withBorder: true });
}
