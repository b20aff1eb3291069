import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { DoneMark } from '#web/ui/done-mark.tsx';
import { keyLabel } from '#web/ui/shortcuts.ts';
import classes from './bulk-edit.module.css';
import { countedRevisions } from './counted.ts';
import { focusFirst } from '#web/ui/focus-first.ts';
import { type RevertedCorrection, useRevertBulkEdit } from './revert-bulk-edit.ts';
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
  const reverted = back.data;
  const { step } = data;
  return (
    <div className={classes.corrected}>
      <DoneMark />
      {reverted ? (
        <Reverted outcome={reverted} />
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
      {!reverted && step && (
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
        {!reverted && (
          <Button
            variant="default"
            disabled={back.isPending}
            onClick={() => state.continueWith(data)}
          >
            Correct more of these
          </Button>
        )}
        {!reverted && step && (
          <Button variant="default" loading={back.isPending} onClick={() => back.mutate(step)}>
            Undo all
          </Button>
        )}
      </div>
    </div>
  );
}

/** What came of it, with every revision that was left as it is. */
function Reverted({ outcome }: { readonly outcome: RevertedCorrection }) {
  const { count, unreverted } = outcome;
  return (
    <div role="status">
      <p className={classes.doneTitle}>
        {countedRevisions(count)} {count === 1 ? 'holds its' : 'hold their'} old values again
      </p>
      {unreverted.length > 0 && (
        <>
          <p>
            {countedRevisions(unreverted.length)}{' '}
            {unreverted.length === 1 ? 'stays as it is' : 'stay as they are'} now:
          </p>
          <ul className={classes.leftOut}>
            {unreverted.map(({ id, message }) => (
              <li key={id}>
                Revision {id}: {message}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
