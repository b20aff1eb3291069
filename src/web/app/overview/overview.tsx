import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import * as texts from '#messages/overview.ts';
import type { ArchiveSummary, TableSummary } from '#shared/contract/answers.ts';
import { archivesQuery } from '#web/api/archives.queries.ts';
import { openQueuesQuery } from '#web/api/queues.queries.ts';
import { repeatedLabels } from '#web/api/repeated-labels.ts';
import { useSession } from '#web/api/session.queries.ts';
import { tablesQuery } from '#web/api/tables.queries.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { useLazyModule } from '#web/ui/lazy-component.tsx';
import { lazyModule } from '#web/ui/lazy-module.ts';
import { LazyModuleError } from '#web/ui/lazy-module-error.tsx';
import classes from './overview.module.css';
import { Placeholder } from './placeholder.tsx';
import { useWorkLists } from './use-work-lists.ts';
import { WorkLists } from './work-lists.tsx';

/** It is loaded after the work lists, which are the purpose of the page. */
const secondColumn = lazyModule(async () => (await import('./second-column.tsx')).SecondColumn);

/** Everything that the user can start or continue, in all archives and tables. */
export function Overview() {
  const { username, role } = useSession();
  const archives = useQuery(archivesQuery(username));
  const tables = useQuery(tablesQuery);
  const error = archives.error ?? tables.error;
  if (error) {
    const retry = () => void Promise.all([archives.refetch(), tables.refetch()]);
    return <ErrorPanel error={error} title={texts.notRead} onRetry={retry} />;
  }
  if (!archives.data || !tables.data) return <Columns />;
  if (archives.data.length + tables.data.length === 0) {
    return role === 'administrator' ? (
      <NothingDefined />
    ) : (
      <EmptyState title={texts.nothingTitle}>{texts.nothing}</EmptyState>
    );
  }
  return <Work archives={archives.data} tables={tables.data} />;
}

/** An administrator may see everything: nothing is defined yet. */
function NothingDefined() {
  return (
    <EmptyState title={texts.nothingForAdministrators}>
      <p>{texts.nothingForAdministratorsHint}</p>
      <Link to="/administration/load">{texts.loadData}</Link>
      <Link to="/administration/definitions">{texts.archivesAndTables}</Link>
    </EmptyState>
  );
}

interface WorkProps {
  readonly archives: readonly ArchiveSummary[];
  readonly tables: readonly TableSummary[];
}

function Work({ archives, tables }: WorkProps) {
  const { username } = useSession();
  const queues = useQuery(openQueuesQuery(username));
  const lists = useWorkLists(archives);
  const [SecondColumn, retry] = useLazyModule(secondColumn, true);
  // Each column is shown once all its data is loaded, the second one not before the first, so that nothing moves.
  const isListed = lists !== undefined && !queues.isPending;
  return (
    <Columns
      lists={
        isListed && (
          <WorkLists
            archives={archives}
            repeated={repeatedLabels(archives, tables)}
            lists={lists}
            queues={queues.data ?? []}
          />
        )
      }
      secondColumn={
        retry ? (
          <LazyModuleError layout="pane" onRetry={retry} />
        ) : (
          SecondColumn && (
            <SecondColumn archives={archives} tables={tables} queues={queues} lists={lists} />
          )
        )
      }
    />
  );
}

interface ColumnsProps {
  readonly lists?: ReactNode;
  readonly secondColumn?: ReactNode;
}

/** The two columns, stacked on narrow screens, with placeholders while data is loading. */
function Columns({ lists, secondColumn }: ColumnsProps) {
  const isPending = !lists || !secondColumn;
  return (
    <div className={classes.overview} aria-busy={isPending}>
      <div className={classes.column}>
        {lists || <Placeholder title={texts.workLists} rows={6} />}
      </div>
      <div className={classes.column}>
        {secondColumn || <Placeholder title={texts.waiting} rows={3} />}
      </div>
    </div>
  );
}
