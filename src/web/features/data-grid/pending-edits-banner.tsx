import { connection } from '#web/api/connection.ts';
import { useStore } from '#web/api/use-store.ts';
import type { StorageWriter } from '#web/ui/storage-writer.ts';
import { countEdits, type Edits } from './edit-store/edits.ts';
import classes from './pending-edits-banner.module.css';
import * as texts from '#messages/tables.ts';

interface PendingEditsBannerProps {
  readonly edits: Edits;
  readonly storage: StorageWriter;
}

/** Shows how many edits are pending while the server is unreachable, and what would be lost with the tab. */
export function PendingEditsBanner({ edits, storage }: PendingEditsBannerProps) {
  const state = useStore(connection);
  const isAtRisk = useStore(storage.isAtRisk);
  const waiting = countEdits(edits).waiting;
  if (isAtRisk) {
    return (
      <div className={classes.banner} role="alert">
        {texts.notStored}
      </div>
    );
  }
  if (state === 'fine' || waiting === 0) return null;
  return <div className={classes.banner}>{texts.serverAway(waiting)}</div>;
}
