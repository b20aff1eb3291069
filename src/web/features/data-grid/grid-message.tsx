import { hasStatus } from '#web/api/failure.ts';
import { isFiltered, type ListView } from '#web/api/list-view.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import classes from './data-grid.module.css';
import type { GridModel } from './use-grid-model.ts';
import * as texts from '#messages/tables.ts';

interface GridMessageProps {
  readonly model: GridModel;
  readonly onViewChange: (view: ListView) => void;
}

/** Shown in a grid without rows, with the reason. */
export function GridMessage({ model, onViewChange }: GridMessageProps) {
  const { rows, view, canWrite } = model;
  const { where: _where, q: _q, ...unfiltered } = view;
  const { sort: _sort, ...plain } = unfiltered;
  if (rows.error) {
    return (
      <div className={classes.message} data-over>
        <ErrorPanel error={rows.error} title={texts.recordsNotRead} onRetry={rows.refresh} />
        {hasStatus(rows.error, 400) && (
          // Any of them may cause the error.
          <Button variant="default" className={classes.remove} onClick={() => onViewChange(plain)}>
            {texts.removeAll}
          </Button>
        )}
      </div>
    );
  }
  if (rows.count === null) {
    return (
      <div className={classes.message}>
        <Spinner label={texts.readingRecords} />
      </div>
    );
  }
  if (rows.total !== 0 || rows.edits.newRows.length > 0) return null;
  return (
    <div className={classes.message}>
      {isFiltered(view) ? (
        <EmptyState title={texts.noMatch}>
          <Button variant="default" onClick={() => onViewChange(unfiltered)}>
            {texts.removeFilter}
          </Button>
        </EmptyState>
      ) : (
        <EmptyState title={texts.empty}>{canWrite && texts.emptyHint}</EmptyState>
      )}
    </div>
  );
}
