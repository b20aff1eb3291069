import * as texts from '#messages/history.ts';
import { useState } from 'react';
import type { HistoryEntry } from '#shared/contract/answers.ts';
import type { StoredContent } from '#web/fields/value-checks.ts';
import { UndoIcon } from '#web/ui/icons.tsx';
import { PersonName } from '#web/ui/person-name.tsx';
import { ValueChange } from '#web/fields/value-change.tsx';
import { localInstant } from '#web/fields/value-text.ts';
import { type ChangesIn, stateBefore } from './entry-changes.ts';
import classes from './history.module.css';

/** Puts earlier values into the record as edits, by the paths of its fields. @param from the time of the values, in words */
export type RestoreValues = (values: ReadonlyMap<string, StoredContent>, from: string) => void;

/** The texts and commands of an entry. */
export interface EntryTexts {
  readonly changesIn: ChangesIn;
  /** the call of a change, in a clerk's words */
  readonly callText: (entry: HistoryEntry) => string;
  /** absent if nothing may be changed now */
  readonly onRestore?: RestoreValues | undefined;
  /** tooltips of the buttons */
  readonly tips: { readonly state: string; readonly value: string };
}

/** The first entry of a record names every field; more than this many are collapsed. */
const MAX_SHOWN = 6;

interface EntryProps extends EntryTexts {
  readonly entry: HistoryEntry;
  /** the later entries, newest first */
  readonly newer: readonly HistoryEntry[];
}

/** One entry of a record's history: who, when, how, and old → new of each field. */
export function HistoryItem({ entry, newer, changesIn, callText, onRestore, tips }: EntryProps) {
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
        <span title={entry.call}>{callText(entry)}</span>
        {onRestore && state.size > 0 && (
          <button
            type="button"
            className={classes.more}
            aria-label={texts.restoreStateOf(at)}
            title={tips.state}
            onClick={() => onRestore(state, at)}
          >
            {texts.restoreState}
          </button>
        )}
      </p>
      <ul className={classes.changes}>
        {shown.map(({ path, ...change }) => (
          <li key={path ?? change.label}>
            <ValueChange {...change} />
            {onRestore && path !== null && (
              <button
                type="button"
                className={classes.back}
                aria-label={texts.restoreValue({ label: change.label, at })}
                title={tips.value}
                onClick={() => onRestore(new Map([[path, change.before]]), at)}
              >
                <UndoIcon size={13} />
              </button>
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
