import { Notifications } from '@mantine/notifications';

/** Where the notices of `notify` appear; stands once, in the frame. */
export function Notices() {
  return (
    <section aria-label="Notices">
      <Notifications
        position="bottom-right"
        limit={3}
        autoClose={4000}
        zIndex={800}
        withinPortal={false}
      />
    </section>
  );
}
