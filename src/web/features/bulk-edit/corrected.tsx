import { Button } from '@mantine/core';
import { CheckIcon } from '#web/ui/icons.tsx';
import type { Corrected as CorrectedData } from './bulk-edit.queries.ts';
import classes from './bulk-edit.module.css';
import { countedRevisions } from './counted.ts';
import { focusFirst } from './focus-first.ts';
import type { BulkEditState } from './use-bulk-edit.ts';

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
      ? [
          `${countedRevisions(counts.gone)} ${counts.gone === 1 ? 'was' : 'were'} not there any more.`,
        ]
      : []),
  ];
  return (
    <div className={classes.corrected}>
      <span className={classes.done}>
        <CheckIcon size={28} />
      </span>
      <div role="status">
        <p className={classes.doneTitle}>
          {countedRevisions(data.revisions.length)} {data.revisions.length === 1 ? 'is' : 'are'}{' '}
          corrected
        </p>
        <p>In {changes.map(({ field }) => field.label).join(', ')}.</p>
        {left.map((sentence) => (
          <p key={sentence} className={classes.quiet}>
            {sentence}
          </p>
        ))}
      </div>
      <div className={classes.doneActions}>
        <Button ref={focusFirst} onClick={onBack}>
          Back to the list
        </Button>
        <Button variant="default" onClick={() => state.continueWith(data)}>
          Correct more of these
        </Button>
      </div>
    </div>
  );
}
