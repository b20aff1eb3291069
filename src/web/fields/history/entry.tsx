import * as texts from '#messages/history.ts';
import { useState } from 'react';
import type { HistoryEntry } from '#shared/contract/answers.ts';
import type { StoredContent } from '#web/fields/value-checks.ts';
import { UndoIcon } from '#web/ui/icons.tsx';
import { PersonName } from '#web/ui/person-name.tsx';
import { ValueChange } from '#web/fields/value-change.tsx';
import { localInstant } from '#web/fields/value-text.ts';
import { type ChangesIn, type EntryChange, stateBefore } from './entry-changes.ts';
import classes from './history.module.css';

/** Restores values, by the paths of their fields. */
export type Put = (values: ReadonlyMap<string, StoredContent>, from: string) => void;

/** The texts and commands of an entry. */
export interface EntryWords {
  readonly changesIn: ChangesIn;
  /** the call of a change, in a clerk's words */
  readonly callWords: (entry: HistoryEntry) => string;
  /** absent if nothing may be changed now */
  readonly put?: Put | undefined;
  /** tooltips of the buttons */
  readonly tips: { readonly state: string; readonly value: string };
}

/** The first entry of a record names every field; more than this many are collapsed. */
const MAX_SHOWN = 6;

interface EntryProps extends EntryWords {
  readonly entry: HistoryEntry;
  /** the later entries, newest first */
  readonly newer: readonly HistoryEntry[];
}

/** One entry of a record's history: who, when, how, and old → new of each field. */
export function HistoryItem({ entry, newer, changesIn, callWords, put, tips }: EntryProps) {
  const [all, setAll] = useState(false);
  const changes = changesIn(entry);
  const shown = all ? changes : changes.slice(0, MAX_SHOWN);
  const at = localInstant(entry.at);
  const state = stateBefore(changesIn, newer);
  return (
    <li className={classes.entry}>
      <p className={classes.who}>
        <strong>
          <PersonName username={entry.user} />
        </strong>{' '}
        {at}
        <span title={entry.call}>{callWords(entry)}</span>
        {put && state.size > 0 && (
          <button
            type="button"
            className={classes.more}
            aria-label={texts.restoreStateOf(at)}
            title={tips.state}
            onClick={() => put(state, at)}
          >
            {texts.restoreState}
          </button>
        )}
      </p>
      <ul className={classes.changes}>
        {shown.map((change) => (
          <li key={change.path ?? change.label}>
            <ValueChange {...change} />
            {put && change.path !== null && (
              <PutBack change={change} path={change.path} at={at} put={put} tip={tips.value} />
            )}
          </li>
        ))}
        {shown.length < changes.length && (
          <li>
            <button type="button" className={classes.more} onClick={() => setAll(true)}>
              {texts.moreChanges(changes.length - shown.length)}
            </button>
          </li>
        )}
      </ul>
    </li>
  );
}

interface PutBackProps {
  readonly change: EntryChange;
  readonly path: string;
  readonly at: string;
  readonly put: Put;
  readonly tip: string;
}

function PutBack({ change, path, at, put, tip }: PutBackProps) {
  return (
    <button
      type="button"
      className={classes.back}
      aria-label={texts.restoreValue({ label: change.label, at })}
      title={tip}
      onClick={() => put(new Map([[path, change.before]]), at)}
    >
      <UndoIcon size={13} />
    </button>
  );
}
