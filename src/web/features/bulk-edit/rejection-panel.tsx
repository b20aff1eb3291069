import * as texts from '#messages/bulk-correction.ts';
import { RichText } from '#web/ui/rich-text.tsx';
import { type ApiFailure, summary, toFailure } from '#web/api/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorFrame, ErrorPanel } from '#web/ui/error-panel.tsx';
import { labelOfPath } from './field-labels.ts';
import { parseRejection } from './rejection.ts';
import shared from '#web/ui/shared.module.css';
import classes from './rejection-panel.module.css';
import type { BulkEditState } from './use-bulk-edit.ts';

interface RejectionPanelProps {
  readonly state: BulkEditState;
  readonly onGoTo: (revisionId: string) => void;
}

const MAX_LISTED = 200;

/** The service's errors for the correction: revision, field, and possible actions. */
export function RejectionPanel({ state, onGoTo }: RejectionPanelProps) {
  const { archive, correction, rejected, excluded, exclude, reload } = state;
  const error: unknown = correction.error;
  if (error === null) return null;
  // The user has stopped waiting.
  if (error instanceof DOMException) return <UnknownOutcome state={state} error={null} />;
  const failure = toFailure(error);
  if (failure.kind !== 'api') return <UnknownOutcome state={state} error={failure} />;

  const rejectedRevisions = [...rejected].filter(([id]) => !excluded.has(id));
  const { general } = parseRejection(failure);
  if (rejectedRevisions.length === 0 && Object.keys(general).length === 0) return null;
  if (rejectedRevisions.length === 0) {
    return (
      <div className={classes.panel}>
        <ErrorPanel error={{ ...failure, errors: general }} title={texts.nothingChanged} />
      </div>
    );
  }
  const ids = rejectedRevisions.map(([id]) => id);
  const canReload = rejectedRevisions.some(([, problems]) =>
    problems.some(({ path }) => path === null),
  );
  const lines = rejectedRevisions.flatMap(([id, problems]) =>
    problems.map(({ path, message }) => ({ id, path, message })),
  );
  return (
    <div className={classes.panel}>
      <ErrorFrame title={texts.refused(ids.length)}>
        <ul className={classes.list}>
          {lines.slice(0, MAX_LISTED).map(({ id, path, message }) => {
            const revision = (
              <button type="button" className={shared.link} onClick={() => onGoTo(id)}>
                {texts.revision(id)}
              </button>
            );
            const field = path !== null && <strong>{labelOfPath(archive, path)}</strong>;
            return (
              <li key={`${id} ${path} ${message}`}>
                <RichText
                  text={
                    field
                      ? texts.fieldProblem({ revision, field, message })
                      : texts.revisionProblem({ revision, message })
                  }
                />
              </li>
            );
          })}
          {lines.length > MAX_LISTED && <li>{texts.moreProblems(lines.length - MAX_LISTED)}</li>}
        </ul>
        {Object.values(general)
          .flat()
          .map((message) => (
            <p key={message}>{message}</p>
          ))}
        <div className={`${shared.buttons} ${classes.actions}`}>
          <Button variant="default" onClick={() => exclude(ids)}>
            {texts.takeOutThese(ids.length)}
          </Button>
          {canReload && (
            <Button variant="default" loading={reload.isPending} onClick={() => reload.mutate(ids)}>
              {texts.readAgain(ids.length)}
            </Button>
          )}
        </div>
        {reload.error && <p>{summary(reload.error.failure)}</p>}
      </ErrorFrame>
    </div>
  );
}

interface UnknownOutcomeProps {
  readonly state: BulkEditState;
  /** null: the user has stopped waiting */
  readonly error: ApiFailure | null;
}

/** The outcome is unknown: there was no answer, or one that is not from the service. */
function UnknownOutcome({ state, error }: UnknownOutcomeProps) {
  const { reload, toSend, sendAgain, isReady } = state;
  return (
    <div className={classes.panel}>
      {error && <ErrorPanel error={error} />}
      <ErrorFrame title={texts.outcomeUnknown}>
        <p>{texts.outcomeUnknownHint}</p>
        <div className={`${shared.buttons} ${classes.actions}`}>
          <Button disabled={!isReady} onClick={sendAgain}>
            {texts.sendAgain}
          </Button>
          <Button
            variant="default"
            loading={reload.isPending}
            onClick={() => reload.mutate(toSend.map(({ revision }) => revision.revisionId))}
          >
            {texts.readThemAgain}
          </Button>
        </div>
        {reload.error && <p>{summary(reload.error.failure)}</p>}
      </ErrorFrame>
    </div>
  );
}
