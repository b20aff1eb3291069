import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { FormHead } from './form-head.tsx';
import classes from './index-form.module.css';
import { type FormSurroundings, RevisionForm } from './revision-form.tsx';
import { revisionQuery } from './revision.queries.ts';

interface IndexFormProps extends FormSurroundings {
  readonly revisionId: string;
}

/** The form of the selected revision, as soon as it is read. */
export function IndexForm({ revisionId, ...surroundings }: IndexFormProps) {
  const { archive, place, onMove, onClose } = surroundings;
  // Whoever looks at the requests looks at those of the next revision as well.
  const [requestShown, setRequestShown] = useState(false);
  const query = useQuery(revisionQuery(archive.table, revisionId));
  if (query.data) {
    return (
      <RevisionForm
        key={revisionId}
        read={query.data}
        requestShown={requestShown}
        onRequestShown={setRequestShown}
        {...surroundings}
      />
    );
  }
  return (
    <div className={classes.form}>
      <FormHead revisionId={revisionId} place={place} onMove={onMove} onClose={onClose} />
      <div className={classes.body}>
        {query.error ? (
          <div className={classes.state}>
            <ErrorPanel
              error={query.error}
              title={
                query.error.failure.kind === 'api' && query.error.failure.status === 404
                  ? `There is no revision ${revisionId} in this archive`
                  : 'The revision could not be read'
              }
              onRetry={() => void query.refetch()}
            />
          </div>
        ) : (
          <div className={classes.coming}>
            <Spinner size={20} label="Loading the revision" />
          </div>
        )}
      </div>
    </div>
  );
}
