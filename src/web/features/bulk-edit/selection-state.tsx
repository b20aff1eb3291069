import * as texts from '#messages/bulk-correction.ts';
import { Progress } from '@mantine/core';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import classes from './bulk-edit.module.css';
import { MAX_REVISIONS } from './read-revisions.ts';
import type { BulkEditState } from './use-bulk-edit.ts';

/** The progress of loading the old values; fields can be chosen meanwhile. */
export function SelectionLoading({ progress }: Pick<BulkEditState, 'progress'>) {
  const share = progress && progress.total > 0 ? (progress.done / progress.total) * 100 : 0;
  return (
    <div className={classes.reading}>
      <p role="status">{progress ? texts.readingValues(progress) : texts.findingRevisions}</p>
      <Progress value={share} size="sm" aria-label={texts.revisionsRead} />
    </div>
  );
}

/** More revisions than one call can change. */
export function TooManyRevisions({
  count,
  onLeave,
}: {
  readonly count: number;
  readonly onLeave: () => void;
}) {
  return (
    <EmptyState title={texts.tooMany(count)}>
      <p>{texts.tooManyHint(MAX_REVISIONS)}</p>
      <Button className={classes.leave} data-autofocus onClick={onLeave}>
        {texts.backToList}
      </Button>
    </EmptyState>
  );
}
