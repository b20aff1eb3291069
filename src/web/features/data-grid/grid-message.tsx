import { Button } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import classes from './data-grid.module.css';
import type { Rows } from './rows/use-rows.ts';

interface GridMessageProps {
  readonly rows: Rows;
  readonly filtered: boolean;
  readonly canWrite: boolean;
  /** without filter and search */
  readonly onShowAll: () => void;
  /** without the order either: what the service refuses may be in each of them */
  readonly onPlainList: () => void;
}

/** What stands in the grid where there are no rows, and why. */
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
        <ErrorPanel
          error={rows.error}
          title="The records could not be read"
          onRetry={rows.readAnew}
        />
        {rows.error.failure.kind === 'api' && rows.error.failure.status === 400 && (
          <Button variant="default" className={classes.remove} onClick={onPlainList}>
            Remove filter, search and order
          </Button>
        )}
      </div>
    );
  }
  if (rows.count === null) {
    return (
      <div className={classes.message}>
        <Spinner label="Reading the records" />
      </div>
    );
  }
  if (rows.total !== 0 || rows.edits.newRows.length > 0) return null;
  return (
    <div className={classes.message}>
      {filtered ? (
        <Empty title="No record matches">
          <Button variant="default" onClick={onShowAll}>
            Remove filter and search
          </Button>
        </Empty>
      ) : (
        <Empty title="This table is empty">
          {canWrite && 'Type into the row above to create the first record.'}
        </Empty>
      )}
    </div>
  );
}
