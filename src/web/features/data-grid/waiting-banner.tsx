import { useSyncExternalStore } from 'react';
import { connection } from '#web/api/connection.ts';
import { formatCount } from '#shared/messages/format.ts';
import { createStore } from '#web/api/create-store.ts';
import type { StorageMonitor } from '#web/ui/storage-monitor.ts';
import { countEdits, type Edits } from './edit-store/edits.ts';
import classes from './waiting-banner.module.css';

interface WaitingBannerProps {
  readonly edits: Edits;
  /** whether the browser keeps what is unsaved; undefined: it is not asked to */
  readonly storage: StorageMonitor | undefined;
}

const NEVER = createStore(false);

/** Says how much waits while the server is away, and what would be lost with the tab. */
export function WaitingBanner({ edits, storage }: WaitingBannerProps) {
  const state = useSyncExternalStore(connection.subscribe, connection.get);
  const { subscribe, get } = storage?.isAtRisk ?? NEVER;
  const isAtRisk = useSyncExternalStore(subscribe, get);
  const waiting = countEdits(edits).waiting;
  if (isAtRisk) {
    return (
      <div className={classes.banner} role="alert">
        This browser cannot store what is not saved: its storage is full or blocked. Keep this tab
        open until everything is saved.
      </div>
    );
  }
  if (state === 'fine' || waiting === 0) return null;
  const changes = waiting === 1 ? '1 change waits' : `${formatCount(waiting)} changes wait`;
  return (
    <div className={classes.banner}>
      The server is away: {changes} here and will be saved when it is back.
    </div>
  );
}
