import { useQuery } from '@tanstack/react-query';
import { useSession } from '#web/api/session.queries.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { UndoIcon } from '#web/ui/icons.tsx';
import { PersonName } from '#web/ui/person-name.tsx';
import { localInstant } from '#web/fields/value-text.ts';
import type { DatasetSelection } from '../use-dataset-selection.ts';
import classes from './panel.module.css';
import { recordHistoryQuery } from './record.queries.ts';

interface GoneRecordProps {
  readonly guid: string;
  readonly jrid: string;
  /** null where the user may not */
  readonly restoring: DatasetSelection['restoring'] | null;
}

/** In the place of a record that is not there: who deleted it, and the way back for those who may. */
export function GoneRecord({ guid, jrid, restoring }: GoneRecordProps) {
  const { username } = useSession();
  const { data: history } = useQuery(recordHistoryQuery(guid, jrid, null));
  const [deletion] = history ?? [];
  if (!deletion) return <p className={classes.gone}>There is no record of this number.</p>;
  const own = deletion.user === username;
  return (
    <div className={classes.gone}>
      <p>
        {own ? 'You' : <PersonName username={deletion.user} />} deleted this record,{' '}
        {localInstant(deletion.at)}. The history tells what stood in it.
      </p>
      {restoring && own && (
        <Button
          variant="default"
          loading={restoring.isPending}
          leftSection={<UndoIcon size={14} />}
          onClick={() => restoring.mutate([jrid])}
        >
          Restore the record
        </Button>
      )}
      {restoring?.error && (
        <ErrorPanel error={restoring.error} title="The record could not be restored" />
      )}
      {!own && <p>Only the person who deleted it can undo that.</p>}
    </div>
  );
}
