import { useState } from 'react';
import type { ArchiveDetail, HistoryEntry } from '#shared/answers.ts';
import { UndoIcon } from '#web/ui/icons.tsx';
import { KeywordsChange, ValueChange } from '#web/ui/value-change.tsx';
import { localInstant } from '#web/ui/value-text.ts';
import { callWords, changesIn, type EntryChange, type Held, stateBefore } from './entries.ts';
import classes from './history-panel.module.css';

/** Puts values into the form, by the places of its fields; the clerk looks at them and saves. */
export type Put = (values: ReadonlyMap<string, Held>, from: string) => void;

/** The first entry of a revision names every field; more than these are folded away. */
const MOST_SHOWN = 6;

interface EntryProps {
  readonly archive: ArchiveDetail;
  readonly entry: HistoryEntry;
  /** what came after it, newest first */
  readonly newer: readonly HistoryEntry[];
  /** absent where the revision may not be changed now */
  readonly put: Put | undefined;
}

/** One thing that happened to a revision: who, when, how, and old → new of each field. */
export function Entry({ archive, entry, newer, put }: EntryProps) {
  const [all, setAll] = useState(false);
  const changes = changesIn(archive, entry);
  const shown = all ? changes : changes.slice(0, MOST_SHOWN);
  const at = localInstant(entry.at);
  const state = stateBefore(archive, newer);
  return (
    <li className={classes.entry}>
      <p className={classes.who}>
        <strong>{entry.user}</strong> {at}
        <span title={entry.call}>{callWords(entry)}</span>
        {put && state.size > 0 && (
          <button
            type="button"
            className={classes.more}
            aria-label={`Restore this state, of ${at}`}
            title="Puts all values into the form as they were right after this; saving is up to you"
            onClick={() => put(state, at)}
          >
            Restore this state
          </button>
        )}
      </p>
      <ul className={classes.changes}>
        {shown.map((change) => (
          <li key={change.place ?? change.label}>
            <Change change={change} />
            {put && change.place !== null && (
              <PutBack change={change} place={change.place} at={at} put={put} />
            )}
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
    </li>
  );
}

function Change({ change: { label, before, after } }: { readonly change: EntryChange }) {
  if (isList(before) && isList(after)) {
    return <KeywordsChange label={label} before={before} after={after} />;
  }
  return <ValueChange label={label} before={scalarOf(before)} after={scalarOf(after)} />;
}

interface PutBackProps {
  readonly change: EntryChange;
  readonly place: string;
  readonly at: string;
  readonly put: Put;
}

function PutBack({ change, place, at, put }: PutBackProps) {
  return (
    <button
      type="button"
      className={classes.back}
      aria-label={`Restore ${change.label} as it was before ${at}`}
      title="Puts the old value into the form; saving is up to you"
      onClick={() => put(new Map([[place, change.before]]), at)}
    >
      <UndoIcon size={13} />
    </button>
  );
}

function isList(held: Held): held is readonly string[] {
  return typeof held === 'object' && held !== null;
}

function scalarOf(held: Held) {
  return isList(held) ? held.join(', ') : held;
}
