import { Notifications } from '@mantine/notifications';

/** Where the notices of `notify` appear; stands once, in the frame. */
export function Notices() {
  return <Notifications position="bottom-right" limit={3} autoClose={4000} zIndex={800} />;
}
