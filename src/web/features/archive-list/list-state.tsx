import * as texts from '#messages/archive-list.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ListView } from '#web/api/list-view.ts';
import { useSession } from '#web/api/session.queries.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { focusIfLost } from '#web/ui/focus-fallback.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import classes from './archive-list.module.css';
import type { RevisionRows } from './use-revision-rows.ts';

interface ListStateProps {
  readonly rows: RevisionRows;
  readonly view: ListView;
  readonly onViewChange: (view: ListView) => void;
  /** shown instead of the message about a filter without matches, if the view is a work list */
  readonly done: ReactNode;
}

/** Shown if there are no rows, with the reason. */
export function ListState({ rows, view, onViewChange, done }: ListStateProps) {
  const { where = [], q = '', sort = [], ...rest } = view;
  const narrowed = q !== '' || where.length > 0;
  if (rows.error) {
    return (
      <div className={classes.state}>
        <ErrorPanel
          error={rows.error}
          title={rows.error.failure.kind === 'unreachable' ? texts.unreachable : texts.notRead}
          onRetry={rows.retry}
          pathLabel={pathLabel}
        />
        {/* Any of them may cause the error. */}
        {(narrowed || sort.length > 0) && rows.status === 'failed' && (
          <Button variant="subtle" onClick={() => onViewChange(rest)}>
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
  return (
    // Keys also work if the focused row was removed, and if the page is opened without a focused row.
    <div ref={focusIfLost} tabIndex={-1} className={classes.none}>
      {narrowed ? (
        done || (
          <EmptyState title={texts.noMatch}>
            <p>{texts.noMatchHint}</p>
            <Button
              variant="default"
              className={classes.showAll}
              onClick={() => onViewChange({ ...rest, sort })}
            >
              {texts.showAll}
            </Button>
          </EmptyState>
        )
      ) : (
        <EmptyArchive />
      )}
    </div>
  );
}

function EmptyArchive() {
  const { role } = useSession();
  if (role !== 'administrator') {
    return <EmptyState title={texts.empty}>{texts.emptyHint}</EmptyState>;
  }
  return (
    <EmptyState title={texts.empty}>
      <p>{texts.emptyHintForAdministrators}</p>
      <Link to="/administration/load-documents">{texts.loadDocuments}</Link>
      <Link to="/administration/load">{texts.loadData}</Link>
    </EmptyState>
  );
}

/** `where[AMOUNT][gt]` names the field. */
function pathLabel(path: string): string | undefined {
  const [, field, op] = /^where\[([^\]]+)\]\[([^\]]*)\]$/.exec(path) ?? [];
  return field ? `${field} (${op})` : undefined;
}
