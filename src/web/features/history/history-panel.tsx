import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ArchiveDetail, HistoryEntry } from '#shared/answers.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { OldValue } from '#web/ui/field.tsx';
import { ChevronDownIcon, ChevronRightIcon } from '#web/ui/icons.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { localInstant } from '#web/ui/value-text.ts';
import { revisionHistoryQuery } from './history.queries.ts';
import classes from './history-panel.module.css';

interface HistoryPanelProps {
  readonly archive: ArchiveDetail;
  readonly revisionId: string;
  readonly version: string | null;
}

/** Who changed what in a revision, newest first; read when it is opened. */
export function HistoryPanel({ archive, revisionId, version }: HistoryPanelProps) {
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
      {open && <Entries archive={archive} revisionId={revisionId} version={version} />}
    </section>
  );
}

function Entries({ archive, revisionId, version }: HistoryPanelProps) {
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
      {history.data.map((entry) => (
        <li key={entry.historyId} className={classes.entry}>
          <p className={classes.who}>
            <strong>{entry.user}</strong> {localInstant(entry.at)}
            <span className={classes.call}>{entry.call}</span>
          </p>
          <Changes archive={archive} changes={entry.changes} />
        </li>
      ))}
    </ol>
  );
}

/** The first entry of a revision names every field; more than these are folded away. */
const MOST_SHOWN = 6;

interface ChangesProps {
  readonly archive: ArchiveDetail;
  readonly changes: HistoryEntry['changes'];
}

function Changes({ archive, changes }: ChangesProps) {
  const [all, setAll] = useState(false);
  const shown = all ? changes : changes.slice(0, MOST_SHOWN);
  return (
    <ul className={classes.changes}>
      {shown.map(({ name, before, after }) => (
        <li key={name}>
          <span className={classes.name}>{labelOf(archive, name)}</span>{' '}
          <OldValue value={textOf(before)} />
          <span aria-label="became"> → </span>
          <NewValue text={textOf(after)} />
        </li>
      ))}
      {shown.length < changes.length && (
        <li>
          <button type="button" className={classes.more} onClick={() => setAll(true)}>
            {changes.length - shown.length} more
          </button>
        </li>
      )}
    </ul>
  );
}

function NewValue({ text }: { readonly text: string | null }) {
  return text === null || text === '' ? <OldValue value={text} /> : <span>{text}</span>;
}

function labelOf(archive: ArchiveDetail, name: string): string {
  if (name === 'document.locked') return 'Lock';
  const keyword = /^keyword\.(.*)$/.exec(name)?.[1];
  return keyword === undefined
    ? (archive.indexFieldDefinitions.find((field) => field.name === name)?.label ?? name)
    : (archive.keywordFieldDefinitions.find((field) => field.name === keyword)?.label ?? keyword);
}

/** A value of the history as text: keywords come as lists, locks as objects. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.length === 0 ? null : value.join(', ');
  const by: unknown = Reflect.get(value, 'by');
  return typeof by === 'string' ? by : JSON.stringify(value);
}
