import { Progress } from '@mantine/core';
import { formatCount } from '#shared/messages/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import classes from './bulk-edit.module.css';
import { countedRevisions } from './counted.ts';
import { MOST_AT_ONCE } from './selection.ts';
import type { BulkEditState } from './use-bulk-edit.ts';

/** How far the reading of the old values is; fields can be chosen meanwhile. */
export function ReadingSelection({ progress }: Pick<BulkEditState, 'progress'>) {
  const share = progress && progress.total > 0 ? (progress.done / progress.total) * 100 : 0;
  return (
    <div className={classes.reading}>
      <p role="status">
        {progress
          ? `Reading the values of ${countedRevisions(progress.total)}: ${formatCount(progress.done)} done.`
          : 'Finding the revisions…'}
      </p>
      <Progress value={share} size="sm" aria-label="Revisions read" />
    </div>
  );
}

/** The old values could not be read, so nothing can be foretold. */
export function ReadingFailed({ state: { reading } }: { readonly state: BulkEditState }) {
  return (
    <div className={classes.message}>
      <ErrorPanel
        error={reading.error}
        title="The revisions could not be read"
        onRetry={() => void reading.refetch()}
      />
    </div>
  );
}

/** More than one call can change. */
export function TooMany({
  count,
  onLeave,
}: {
  readonly count: number;
  readonly onLeave: () => void;
}) {
  return (
    <Empty title={`${countedRevisions(count)} are too many to correct together`}>
      <p>
        All of them are changed in one step or none is, and one step takes at most{' '}
        {formatCount(MOST_AT_ONCE)} revisions. Narrow the filter or select fewer.
      </p>
      <Button className={classes.leave} data-autofocus onClick={onLeave}>
        Back to the list
      </Button>
    </Empty>
  );
}
