import type { TogetherTaken } from '#web/api/undo.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { DoneMark } from '#web/ui/done-mark.tsx';
import { keyLabel } from '#web/ui/shortcuts.ts';
import classes from './bulk-edit.module.css';
import { countedRevisions } from './counted.ts';
import { focusFirst } from '#web/ui/focus-first.ts';
import { useRevertBulkEdit } from './revert-bulk-edit.ts';
import type { BulkEditState } from './use-bulk-edit.ts';
import type { Corrected as CorrectedData } from './use-correction.ts';

interface CorrectedProps {
  readonly state: BulkEditState;
  readonly data: CorrectedData;
  readonly onBack: () => void;
}

/** It is done: how many, in which fields, and the ways on. */
export function Corrected({ state, data, onBack }: CorrectedProps) {
  const { counts, sendsSame, changes } = state;
  const left = [
    ...(counts.same > 0 && !sendsSame
      ? [`${countedRevisions(counts.same)} held these values already.`]
      : []),
    ...(counts.out > 0 ? [`${countedRevisions(counts.out)} had been taken out.`] : []),
    ...(counts.gone > 0
      ? [`${countedRevisions(counts.gone)} ${counts.gone === 1 ? 'was' : 'were'} not found.`]
      : []),
  ];
  const back = useRevertBulkEdit(state.archive);
  const takenBack = back.data;
  const changed = data.step.count > 0;
  return (
    <div className={classes.corrected}>
      <DoneMark />
      {takenBack ? (
        <RevertedSave taken={takenBack} />
      ) : (
        <div role="status">
          <p className={classes.doneTitle}>
            {countedRevisions(data.revisions.length)} {data.revisions.length === 1 ? 'is' : 'are'}{' '}
            corrected
          </p>
          <p>
            In{' '}
            {changes
              .map(({ field }) => field.label)
              .join(', ')
              .replace(/\.?$/, '.')}
          </p>
          {left.map((sentence) => (
            <p key={sentence} className={classes.quiet}>
              {sentence}
            </p>
          ))}
        </div>
      )}
      {!takenBack && changed && (
        <p className={classes.quiet}>
          You can undo all of it here, or by {keyLabel('mod+Z')} in the list, in its turn, as long
          as this page stays open; later under Spreadsheet, Batch history.
        </p>
      )}
      {back.error && <ErrorPanel error={back.error} title="Nothing was undone" />}
      <div className={classes.doneActions}>
        {/* A new one once undoing has ended, as the button that had the cursor is gone then. */}
        <Button key={back.status} ref={focusFirst} disabled={back.isPending} onClick={onBack}>
          Back to the list
        </Button>
        {!takenBack && (
          <Button
            variant="default"
            disabled={back.isPending}
            onClick={() => state.continueWith(data)}
          >
            Correct more of these
          </Button>
        )}
        {!takenBack && changed && (
          <Button variant="default" loading={back.isPending} onClick={() => back.mutate(data.step)}>
            Undo all
          </Button>
        )}
      </div>
    </div>
  );
}

/** What came of it, with every revision that was left as it is. */
function RevertedSave({ taken }: { readonly taken: TogetherTaken }) {
  const { count, left } = taken;
  return (
    <div role="status">
      <p className={classes.doneTitle}>
        {countedRevisions(count)} {count === 1 ? 'holds its' : 'hold their'} old values again
      </p>
      {left.length > 0 && (
        <>
          <p>
            {countedRevisions(left.length)}{' '}
            {left.length === 1 ? 'stays as it is' : 'stay as they are'} now:
          </p>
          <ul className={classes.leftOut}>
            {left.map(({ revisionId, message }) => (
              <li key={revisionId}>
                Revision {revisionId}: {message}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
