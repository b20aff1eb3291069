import { Button } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { hasStatus } from '#web/api/failure.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import classes from './data-grid.module.css';
import type { TableRows } from './rows/use-rows.ts';
import * as texts from '#messages/tables.ts';

interface GridMessageProps {
  readonly rows: TableRows;
  readonly filtered: boolean;
  readonly canWrite: boolean;
  /** without filter and search */
  readonly onShowAll: () => void;
  /** also without the sorting: the error may be caused by any of them */
  readonly onPlainList: () => void;
}

/** Shown in a grid without rows, with the reason. */
export function GridMessage({
  rows,
  filtered,
  canWrite,
  onShowAll,
  onPlainList,
}: GridMessageProps) {
  if (rows.error) {
    return (
      <div className={classes.message} data-over>
        <ErrorPanel error={rows.error} title={texts.recordsNotRead} onRetry={rows.refresh} />
        {hasStatus(rows.error, 400) && (
          <Button variant="default" className={classes.remove} onClick={onPlainList}>
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
      {filtered ? (
        <Empty title={texts.noMatch}>
          <Button variant="default" onClick={onShowAll}>
            {texts.removeFilter}
          </Button>
        </Empty>
      ) : (
        <Empty title={texts.empty}>{canWrite && texts.emptyHint}</Empty>
      )}
    </div>
  );
}
