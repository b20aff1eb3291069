import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ArchiveDetail } from '#shared/answers.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { ChevronDownIcon, ChevronRightIcon } from '#web/ui/icons.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { Entry, type Put } from './entry.tsx';
import { revisionHistoryQuery } from './history.queries.ts';
import classes from './history-panel.module.css';

interface HistoryPanelProps {
  readonly archive: ArchiveDetail;
  readonly revisionId: string;
  readonly version: string | null;
  /** puts old values into the form; absent where it may not be changed now */
  readonly put?: Put | undefined;
}

/** Who changed what in a revision, newest first; read when it is opened. */
export function HistoryPanel(props: HistoryPanelProps) {
  const [open, setOpen] = useState(false);
  return (
    <section className={classes.panel} aria-label="History">
      <button
        type="button"
        className={classes.toggle}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {open ? <ChevronDownIcon size={14} /> : <ChevronRightIcon size={14} />}
        History
      </button>
      {open && <Entries {...props} />}
    </section>
  );
}

function Entries({ archive, revisionId, version, put }: HistoryPanelProps) {
  const history = useQuery(revisionHistoryQuery(archive.table, revisionId, version));
  if (history.error) {
    return (
      <ErrorPanel
        error={history.error}
        title="The history could not be read"
        onRetry={() => void history.refetch()}
      />
    );
  }
  if (!history.data) return <Spinner size={16} label="Loading the history" />;
  return (
    <ol className={classes.entries}>
      {history.data.map((entry, at) => (
        <Entry
          key={entry.historyId}
          archive={archive}
          entry={entry}
          newer={history.data.slice(0, at)}
          put={put}
        />
      ))}
    </ol>
  );
}
