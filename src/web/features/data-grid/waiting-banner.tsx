import { useSyncExternalStore } from 'react';
import { connection } from '#web/api/connection.ts';
import { shownCount } from '#web/api/reader.ts';
import { countEdits, type Edits } from './edits.ts';
import classes from './waiting-banner.module.css';

interface WaitingBannerProps {
  readonly edits: Edits;
  /** rows of a paste that are still to go */
  readonly pasting: number;
}

/** Says how much waits while the server is away. */
export function WaitingBanner({ edits, pasting }: WaitingBannerProps) {
  const state = useSyncExternalStore(connection.subscribe, connection.get);
  const waiting = countEdits(edits).waiting + pasting;
  if (state === 'fine' || waiting === 0) return null;
  const changes = waiting === 1 ? '1 change waits' : `${shownCount(waiting)} changes wait`;
  return (
    <div className={classes.banner}>
      The server is away: {changes} here and will be saved when it is back.
    </div>
  );
}
