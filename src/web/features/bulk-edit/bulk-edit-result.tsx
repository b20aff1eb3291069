import * as texts from '#messages/bulk-correction.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { DoneMark } from '#web/ui/done-mark.tsx';
import { keyLabel } from '#web/ui/shortcuts.ts';
import shared from '#web/ui/shared.module.css';
import { ReasonList } from '#web/ui/reason-list.tsx';
import classes from './bulk-edit.module.css';
import { focusFirst } from '#web/ui/focus-first.ts';
import type { RevertedCorrection } from './revert-correction.ts';
import type { BulkEditState } from './use-bulk-edit.ts';
import { type CorrectionResult, useRevertCorrection } from './bulk-edit.mutations.ts';

interface BulkEditResultProps {
  readonly state: BulkEditState;
  readonly data: CorrectionResult;
  readonly onBack: () => void;
}

/** The result: how many revisions, which fields, and the next actions. */
export function BulkEditResult({ state, data, onBack }: BulkEditResultProps) {
  const { counts, includesUnchanged, changes } = state;
  const left = [
    ...(counts.same > 0 && !includesUnchanged ? [texts.heldValues(counts.same)] : []),
    ...(counts.out > 0 ? [texts.hadBeenTakenOut(counts.out)] : []),
    ...(counts.notFound > 0 ? [texts.wereNotFound(counts.notFound)] : []),
  ];
  const revert = useRevertCorrection(state.archive);
  const reverted = revert.data;
  const { step } = data;
  return (
    <div className={classes.corrected}>
      <DoneMark />
      {reverted ? (
        <RevertedResult {...reverted} />
      ) : (
        <div role="status">
          <p className={classes.doneTitle}>{texts.corrected(data.revisions.length)}</p>
          <p>{texts.correctedFields(changes.map(({ field }) => field.label))}</p>
          {left.map((sentence) => (
            <p key={sentence} className={shared.muted}>
              {sentence}
            </p>
          ))}
        </div>
      )}
      {!reverted && step && <p className={shared.muted}>{texts.undoHint(keyLabel('mod+Z'))}</p>}
      {revert.error && <ErrorPanel error={revert.error} title={texts.nothingUndone} />}
      <div className={classes.doneActions}>
        {/* A new element once undoing has ended, because the focused button has disappeared by then. */}
        <Button key={revert.status} ref={focusFirst} disabled={revert.isPending} onClick={onBack}>
          {texts.backToList}
        </Button>
        {!reverted && (
          <Button
            variant="default"
            disabled={revert.isPending}
            onClick={() => state.continueWith(data)}
          >
            {texts.correctMore}
          </Button>
        )}
        {!reverted && step && (
          <Button variant="default" loading={revert.isPending} onClick={() => revert.mutate(step)}>
            {texts.undoAll}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The result of undoing, with every revision that was left unchanged. */
function RevertedResult({ count, report }: RevertedCorrection) {
  const { reasons } = report('undo');
  return (
    <div role="status">
      <p className={classes.doneTitle}>{texts.oldValuesAgain(count)}</p>
      {reasons && (
        <div className={classes.unreverted}>
          <ReasonList {...reasons} />
        </div>
      )}
    </div>
  );
}
