import * as texts from '#messages/field-review.ts';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { type ArchiveField, fieldsOf } from '#web/fields/index-data.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/inputs/checkbox.tsx';
import { NativeSelect } from '#web/ui/inputs/native-select.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { keyLabel } from '#web/ui/shortcuts.ts';
import { Stepper } from '#web/ui/stepper.tsx';
import area from '#web/ui/work-area.module.css';
import classes from './field-review.module.css';
import { REVIEW_KEYS } from './review-keys.ts';

interface ReviewBarProps {
  readonly archive: ArchiveDetail;
  readonly field: ArchiveField;
  readonly onField: (name: string) => void;
  /** the records that are shown, from 1 */
  readonly first: number;
  readonly last: number;
  readonly total: number;
  readonly onStep: (by: 1 | -1) => void;
  readonly right: number;
  readonly corrected: number;
  readonly isLarge: boolean;
  readonly onLarge: (isLarge: boolean) => void;
  readonly onPlan: () => void;
  readonly isPlanning: boolean;
}

/** The field, the records, the progress, and the next button. */
export function ReviewBar(props: ReviewBarProps) {
  const { archive, field, first, last, total, onStep, right, corrected, isLarge } = props;
  const options = reviewableFields(archive).map(({ name, label }) => ({ value: name, label }));
  return (
    <div className={area.bar} role="toolbar" aria-label={texts.tools}>
      <NativeSelect
        aria-label={texts.field}
        options={options}
        value={field.name}
        onChange={props.onField}
      />
      <Stepper
        previous={{
          label: texts.previousGroup,
          title: keyLabel(REVIEW_KEYS.previousGroup),
          disabled: first === 1,
        }}
        next={{
          label: texts.nextGroup,
          title: keyLabel(REVIEW_KEYS.nextGroup),
          disabled: last === total,
        }}
        onStep={onStep}
      >
        <span>{texts.range({ first, last, total })}</span>
      </Stepper>
      <span className={classes.counts} role="status">
        {texts.progress({ right, corrected })}
      </span>
      <span className={classes.space} />
      <Checkbox
        label={texts.larger}
        checked={isLarge}
        onChange={(event) => props.onLarge(event.currentTarget.checked)}
      />
      <Button
        disabled={corrected === 0}
        loading={props.isPlanning}
        onClick={props.onPlan}
        rightSection={<Kbd keys={REVIEW_KEYS.plan} aria-hidden />}
      >
        {texts.plan(corrected)}
      </Button>
    </div>
  );
}

/** The fields that can be reviewed: index fields that the user may change. */
export function reviewableFields(archive: ArchiveDetail): readonly ArchiveField[] {
  return fieldsOf(archive).filter(({ definition, isReadOnly }) => definition && !isReadOnly);
}
