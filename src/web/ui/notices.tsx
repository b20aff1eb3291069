import { Notifications } from '@mantine/notifications';
import classes from './notices.module.css';

/** Where the notices of `notify` appear; stands once, in the frame. */
export function Notices() {
  return (
    <section aria-label="Notices">
      <Notifications
        className={classes.notices ?? ''}
        position="bottom-right"
        limit={3}
        autoClose={4000}
        zIndex={800}
        withinPortal={false}
      />
    </section>
  );
}
