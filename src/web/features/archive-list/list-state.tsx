import * as texts from '#messages/archive-list.ts';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import classes from './archive-list.module.css';
import type { RevisionRows } from './use-revision-rows.ts';

interface ListStateProps {
  readonly rows: RevisionRows;
  /** whether a filter or search hides rows */
  readonly narrowed: boolean;
  readonly onShowAll: () => void;
  /** shown instead of the message about a filter without matches, if the view is a work list */
  readonly done: ReactNode;
}

/** Shown if there are no rows, with the reason. */
export function ListState({ rows, narrowed, onShowAll, done }: ListStateProps) {
  if (rows.error) {
    return (
      <div className={classes.state}>
        <ErrorPanel
          error={rows.error}
          title={rows.error.failure.kind === 'unreachable' ? texts.unreachable : texts.notRead}
          onRetry={rows.retry}
          pathLabel={pathLabel}
        />
        {narrowed && rows.status === 'failed' && (
          <Button variant="subtle" onClick={onShowAll}>
            {texts.showAll}
          </Button>
        )}
      </div>
    );
  }
  if (rows.status === 'loading') {
    return (
      <div className={classes.loading}>
        <Spinner size={22} label={texts.loading} />
      </div>
    );
  }
  if (narrowed && done) return done;
  return narrowed ? (
    <Empty title={texts.noMatch}>
      <p>{texts.noMatchHint}</p>
      <Button variant="default" className={classes.showAll} onClick={onShowAll}>
        {texts.showAll}
      </Button>
    </Empty>
  ) : (
    <Empty title={texts.empty}>{texts.emptyHint}</Empty>
  );
}

/** `where[AMOUNT][gt]` names the field. */
function pathLabel(path: string): string | undefined {
  const [, field, op] = /^where\[([^\]]+)\]\[([^\]]*)\]$/.exec(path) ?? [];
  return field ? `${field} (${op})` : undefined;
}
