import * as texts from '#messages/history.ts';
import { type ReactNode, useState } from 'react';
import type { HistoryEntry } from '#shared/contract/answers.ts';
import { ChevronDownIcon, ChevronRightIcon } from '#web/ui/icons.tsx';
import { QueryError } from '#web/ui/query-state.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { HistoryItem, type EntryTexts } from './entry.tsx';
import classes from './history.module.css';

interface HistorySectionProps {
  /** whether it is initially expanded */
  readonly initiallyOpen?: boolean;
  /** rendered, and thereby loaded, when it is expanded */
  readonly children: ReactNode;
}

/** The collapsible part of a form with the history of a record. */
export function HistorySection({ initiallyOpen = false, children }: HistorySectionProps) {
  const [open, setOpen] = useState(initiallyOpen);
  return (
    <section className={classes.panel} aria-label={texts.history}>
      <h3 className={classes.heading}>
        <button
          type="button"
          className={classes.toggle}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? <ChevronDownIcon size={14} /> : <ChevronRightIcon size={14} />}
          {texts.history}
        </button>
      </h3>
      {open && children}
    </section>
  );
}

interface HistoryEntriesProps extends EntryTexts {
  /** the query result of the history */
  readonly history: {
    readonly data: readonly HistoryEntry[] | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
}

/** The changes of a record, newest first. */
export function HistoryEntries({ history, ...words }: HistoryEntriesProps) {
  const { data, error } = history;
  if (error) return <QueryError query={history} title={texts.notRead} />;
  if (!data) return <Spinner size={16} label={texts.loading} />;
  return (
    <ol className={classes.entries}>
      {data.map((entry, at) => (
        <HistoryItem key={entry.historyId} entry={entry} newer={data.slice(0, at)} {...words} />
      ))}
    </ol>
  );
}
