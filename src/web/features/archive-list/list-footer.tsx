import * as texts from '#messages/archive-list.ts';
import classes from './archive-list.module.css';
import type { RevisionRows } from './use-revision-rows.ts';

interface ListFooterProps {
  readonly rows: RevisionRows;
  /** the number of revisions in the archive */
  readonly of: number;
  readonly unsaved: number;
  readonly onNextUnsaved: () => void;
}

/** The number of listed and of unsaved revisions. */
export function ListFooter({ rows, of, unsaved, onNextUnsaved }: ListFooterProps) {
  return (
    <footer className={classes.foot}>
      <span aria-live="polite">{countText(rows, of)}</span>
      {unsaved > 0 && (
        <button
          type="button"
          className={classes.unsaved}
          title={texts.openNextUnsaved}
          onClick={onNextUnsaved}
        >
          {texts.countUnsaved(unsaved)}
        </button>
      )}
    </footer>
  );
}

function countText({ status, count, exact, filter }: RevisionRows, of: number): string {
  const narrowed = filter.where.length > 0 || filter.q !== '';
  if (status !== 'ready') return '';
  if (!exact) return texts.moreThan(count);
  if (count >= of) return texts.count(count);
  return narrowed
    ? texts.countOfFiltered({ count, total: of })
    : texts.countOf({ count, total: of });
}
