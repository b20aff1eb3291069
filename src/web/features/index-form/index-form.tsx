import * as texts from '#messages/index-form.ts';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { fieldsKey, fitsDefinition } from '#web/fields/index-data.ts';
import { type VersionedRevision, revisionQuery } from '#web/api/revisions.queries.ts';
import { discardFormKeys } from '#web/ui/form-key-buffer.ts';
import { hasStatus } from '#web/api/failure.ts';
import { useStore } from '#web/api/use-store.ts';
import { QueryError } from '#web/ui/query-state.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import type { FormContext } from './form-context.ts';
import { CopyEditsButton } from './copy-edits-button.tsx';
import { useFormKeys } from './form-keys.ts';
import { FormHeader } from './form-header.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './index-form.module.css';
import { RevisionForm } from './revision-form.tsx';
import { inputAssistOf } from './input-assist.ts';

/** Between reads of a revision that was read by another definition than the archive, in milliseconds. */
const DEFINITION_INTERVAL = 1_000;

interface IndexFormProps extends FormContext {
  readonly revisionId: string;
}

/** The form of the selected revision, once it is loaded. */
export function IndexForm({ revisionId, ...context }: IndexFormProps) {
  const { archive } = context;
  // The request view stays open for the next revision.
  const [requestShown, setRequestShown] = useState(false);
  const query = useQuery({
    ...revisionQuery(archive.table, revisionId),
    refetchInterval: ({ state: { data } }) =>
      data && !fitsDefinition(data.revision, archive) ? DEFINITION_INTERVAL : false,
  });
  const draftsReady = useStore(context.drafts.ready);
  const isDraftLate = useStore(context.drafts.loadedLate).has(revisionId);
  const client = useQueryClient();
  const inputAssistReady = useStore(inputAssistOf(client, context.username, archive.table).ready);
  // With the values of another definition, renamed fields would be empty, and be saved so.
  const isRead = query.data !== undefined && fitsDefinition(query.data.revision, archive);
  if (isRead && draftsReady && inputAssistReady) {
    return (
      <RevisionForm
        // It is opened again, with its draft, once a draft is loaded late or the archive has other fields: a form has
        // its values by their positions.
        key={`${revisionId} ${isDraftLate} ${fieldsKey(archive)}`}
        latest={query.data}
        isDeleted={hasStatus(query.error, 404)}
        requestShown={requestShown}
        onRequestShown={setRequestShown}
        {...context}
      />
    );
  }
  return <LoadingForm revisionId={revisionId} query={query} {...context} />;
}

interface LoadingFormProps extends IndexFormProps {
  readonly query: Pick<UseQueryResult<VersionedRevision>, 'error' | 'refetch'>;
}

/** Shown while the revision is loading, or if that fails; the user can move on from here. */
function LoadingForm({ revisionId, query, ...surroundings }: LoadingFormProps) {
  const draft = surroundings.drafts.get(revisionId);
  const { queue, listPosition, onMove, onClose, onBack, focusOn, onEnterNext } = surroundings;
  useEffect(() => {
    if (query.error && focusOn !== undefined) discardFormKeys();
  }, [query.error, focusOn]);
  const move = (by: 1 | -1) => {
    if (focusOn !== undefined) onEnterNext();
    onMove(by);
  };
  const onKeyDownCapture = useFormKeys((key) => {
    if (key === 'next' || key === 'saveAndNext') move(1);
    else if (key === 'previous') move(-1);
    else if (key === 'back') onBack();
  }, true);
  return (
    <div className={shared.column} onKeyDownCapture={onKeyDownCapture}>
      <FormHeader
        revisionId={revisionId}
        queue={queue}
        listPosition={listPosition}
        onMove={move}
        onClose={onClose}
      />
      <div className={`${shared.scroller} ${classes.body}`}>
        {query.error ? (
          <div className={classes.state}>
            <QueryError
              query={query}
              title={hasStatus(query.error, 404) ? texts.noRevision(revisionId) : texts.notRead}
            />
            {draft && <CopyEditsButton archive={surroundings.archive} edits={() => draft.edits} />}
          </div>
        ) : (
          <div className={classes.coming}>
            <Spinner size={20} label={texts.loading} />
          </div>
        )}
      </div>
    </div>
  );
}
