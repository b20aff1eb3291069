import * as texts from '#messages/common.ts';
import { useStore } from '#web/api/use-store.ts';
import { connection } from '#web/api/connection.ts';
import classes from './connection-banner.module.css';

/** Shows that the server is unreachable while calls are retried. */
export function ConnectionBanner() {
  const state = useStore(connection);
  return (
    <output className={classes.area}>
      {state === 'lost' && (
        <span className={classes.banner}>
          <span className={classes.dot} aria-hidden="true" />
          {texts.reconnecting}
        </span>
      )}
    </output>
  );
}
