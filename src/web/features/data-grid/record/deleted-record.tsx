import { useQuery } from '@tanstack/react-query';
import { useSession } from '#web/api/session.queries.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { UndoIcon } from '#web/ui/icons.tsx';
import { PersonName } from '#web/ui/person-name.tsx';
import { localInstant } from '#web/fields/value-text.ts';
import type { DatasetSelection } from '../use-dataset-selection.ts';
import classes from './panel.module.css';
import { recordHistoryQuery } from '../record.queries.ts';
import { RichText } from '#web/ui/rich-text.tsx';
import * as texts from '#messages/records.ts';

interface DeletedRecordProps {
  readonly guid: string;
  readonly jrid: string;
  /** null if the user may not */
  readonly restoring: DatasetSelection['restoring'] | null;
}

/** Replaces the form of a deleted record: who deleted it, and the restore button for users who may. */
export function DeletedRecord({ guid, jrid, restoring }: DeletedRecordProps) {
  const { username } = useSession();
  const history = useQuery(recordHistoryQuery(guid, jrid, null));
  // The history below reports that it is loading, or could not be loaded.
  if (!history.data) return null;
  const [deletion] = history.data;
  if (!deletion) return <p className={classes.gone}>{texts.notFound}</p>;
  const own = deletion.user === username;
  const at = localInstant(deletion.at);
  return (
    <div className={classes.gone}>
      <p>
        {own ? (
          texts.deletedByYou(at)
        ) : (
          <RichText
            text={texts.deletedBy({ person: <PersonName username={deletion.user} />, at })}
          />
        )}
      </p>
      {restoring && own && (
        <Button
          writes
          variant="default"
          loading={restoring.isPending}
          leftSection={<UndoIcon size={14} />}
          onClick={() => restoring.mutate([jrid])}
        >
          {texts.restore}
        </Button>
      )}
      {restoring?.error && <ErrorPanel error={restoring.error} title={texts.notRestored} />}
      {!own && <p>{texts.onlyOwn}</p>}
    </div>
  );
}
