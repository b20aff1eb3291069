import { formatCount } from '#shared/messages/format.ts';
import classes from './archive-list.module.css';
import type { RevisionRows } from './use-revision-rows.ts';

interface ListFootProps {
  readonly rows: RevisionRows;
  /** how many revisions the archive holds */
  readonly of: number;
  readonly unsaved: number;
  readonly onNextUnsaved: () => void;
}

/** The count of what the list shows, and of what is not saved. */
export function ListFoot({ rows, of, unsaved, onNextUnsaved }: ListFootProps) {
  return (
    <footer className={classes.foot}>
      <span aria-live="polite">{countWords(rows, of)}</span>
      {unsaved > 0 && (
        <button
          type="button"
          className={classes.unsaved}
          title="Open the next one that is not saved"
          onClick={onNextUnsaved}
        >
          {unsaved} unsaved
        </button>
      )}
    </footer>
  );
}

function countWords({ status, count, exact, filter }: RevisionRows, of: number): string {
  const narrowed = filter.where.length > 0 || filter.q !== '';
  if (status !== 'ready') return '';
  const shown = formatCount(count);
  if (!exact) return `more than ${shown} revisions`;
  if (count < of) return `${shown} of ${formatCount(of)} revisions${narrowed ? ', filtered' : ''}`;
  return count === 1 ? '1 revision' : `${shown} revisions`;
}
