import * as texts from '#messages/duplicates.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import { Button } from '#web/ui/button.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './duplicates.module.css';

interface MergeChoiceProps {
  readonly field: ArchiveField;
  /** the value; '' for none */
  readonly text: string;
  /** the name of the record */
  readonly record: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

/** A value to choose for the remaining record. */
export function MergeChoice({ field, text, record, isChosen, onChoose }: MergeChoiceProps) {
  const value = text === '' ? texts.noValue : text;
  return (
    <button
      type="button"
      className={classes.choice}
      aria-pressed={isChosen}
      aria-label={texts.takeValue({ field: field.label, value, record })}
      disabled={field.isReadOnly}
      onClick={(event) => {
        // A press on the rest of the column chooses the remaining record.
        event.stopPropagation();
        onChoose();
      }}
    >
      {text === '' ? <span className={shared.muted}>—</span> : text}
    </button>
  );
}

interface MergeOutcomeProps {
  readonly isRemaining: boolean;
  readonly onKeep: () => void;
}

/** The effect of the merge on a record. */
export function MergeOutcome({ isRemaining, onKeep }: MergeOutcomeProps) {
  return (
    <>
      <span
        className={`${shared.note} ${classes.outcome}`}
        data-removed={!isRemaining || undefined}
      >
        {isRemaining ? texts.stays : texts.goesAway}
      </span>
      {!isRemaining && (
        <Button variant="default" size="compact-sm" onClick={onKeep}>
          {texts.keepThis}
        </Button>
      )}
    </>
  );
}
