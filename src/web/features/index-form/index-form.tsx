import * as texts from '#messages/index-form.ts';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { type RevisionRead, revisionQuery } from '#web/api/revisions.queries.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import type { FormSurroundings } from './form-surroundings.ts';
import { CopyTyped } from './copy-typed.tsx';
import { useDraftsReady, useLoadedLate } from './drafts.ts';
import { useFormKeys } from './form-keys.ts';
import { FormHead } from './form-head.tsx';
import classes from './index-form.module.css';
import { RevisionForm } from './revision-form.tsx';
import { inputAssistOf, useInputAssistReady } from './input-assist.ts';

interface IndexFormProps extends FormSurroundings {
  readonly revisionId: string;
}

/** The form of the selected revision, once it is loaded. */
export function IndexForm({ revisionId, ...surroundings }: IndexFormProps) {
  const { archive } = surroundings;
  // The request view stays open for the next revision.
  const [requestShown, setRequestShown] = useState(false);
  const query = useQuery(revisionQuery(archive.table, revisionId));
  const draftsReady = useDraftsReady(surroundings.drafts);
  const isDraftLate = useLoadedLate(surroundings.drafts, revisionId);
  const client = useQueryClient();
  const typingReady = useInputAssistReady(
    inputAssistOf(client, surroundings.username, archive.table),
  );
  if (query.data && draftsReady && typingReady) {
    return (
      <RevisionForm
        // A form that was opened before its draft was loaded is opened again, with the draft.
        key={`${revisionId} ${isDraftLate}`}
        read={query.data}
        gone={query.error?.failure.kind === 'api' && query.error.failure.status === 404}
        requestShown={requestShown}
        onRequestShown={setRequestShown}
        {...surroundings}
      />
    );
  }
  return <AwaitedForm revisionId={revisionId} query={query} {...surroundings} />;
}

interface AwaitedFormProps extends IndexFormProps {
  readonly query: Pick<UseQueryResult<RevisionRead>, 'error' | 'refetch'>;
}

/** Shown while the revision is loading, or if that fails; the user can move on from here. */
function AwaitedForm({ revisionId, query, ...surroundings }: AwaitedFormProps) {
  const draft = surroundings.drafts.get(revisionId);
  const { place, onMove, onClose, onBack, focusOn, onEnterNext } = surroundings;
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
    <div className={classes.form} onKeyDownCapture={onKeyDownCapture}>
      <FormHead revisionId={revisionId} place={place} onMove={move} onClose={onClose} />
      <div className={classes.body}>
        {query.error ? (
          <div className={classes.state}>
            <ErrorPanel
              error={query.error}
              title={
                query.error.failure.kind === 'api' && query.error.failure.status === 404
                  ? texts.noRevision(revisionId)
                  : texts.notRead
              }
              onRetry={() => void query.refetch()}
            />
            {draft && <CopyTyped archive={surroundings.archive} edits={() => draft.edits} />}
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
