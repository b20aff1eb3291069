import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { connection } from '#web/api/connection.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { countEdits, type Edits } from './edit-store/edits.ts';
import type { GridProblem } from './problems/use-find-problem.ts';
import * as texts from '#messages/tables.ts';

/** Milliseconds without a change before an announcement, so that short-lived states are skipped. */
const REST = 600;

interface AnnouncerProps {
  /** `12 cells selected.`; null: a single cell, which screen readers announce themselves */
  readonly selected: string | null;
  readonly edits: Edits;
  /** changes saved since the grid was opened */
  readonly saved: number;
  readonly problems: readonly GridProblem[];
  /** the label of a column */
  readonly labelOf: (column: string) => string;
  /** the new stored value under the open editor; null: it is unchanged */
  readonly overtaken: string | null;
  /** the number of just deleted datasets that can be restored */
  readonly deleted: number;
  /** whether others have added or deleted datasets since the list was loaded */
  readonly outdated: boolean;
  /** `The table shows 12 records.`; null: unknown */
  readonly count: string | null;
}

/** Announces changes in the grid outside the focused cell to screen readers (ARIA live region). */
export function Announcer(props: AnnouncerProps) {
  const state = useSyncExternalStore(connection.subscribe, connection.get);
  const phrases = [
    props.selected,
    savingWords(props, state === 'fine'),
    props.overtaken,
    props.deleted > 0 ? texts.recordsDeleted(props.deleted) : null,
    props.outdated ? texts.othersChanged : null,
    props.count,
  ];
  const now = phrases.map((phrase) => phrase ?? '').join('\n');
  const [said, setSaid] = useState('');
  const heard = useRef(now);
  useEffect(() => {
    const timer = setTimeout(() => {
      const before = heard.current.split('\n');
      heard.current = now;
      const fresh = now.split('\n').filter((phrase, i) => phrase !== '' && phrase !== before[i]);
      if (fresh.length > 0) setSaid(fresh.join(' '));
    }, REST);
    return () => clearTimeout(timer);
  }, [now]);
  return (
    <VisuallyHidden as="div" role="status" aria-label={texts.status}>
      {said}
    </VisuallyHidden>
  );
}

function savingWords(
  { edits, saved, problems, labelOf }: AnnouncerProps,
  isThere: boolean,
): string | null {
  const { waiting } = countEdits(edits);
  const last = problems.at(-1);
  if (last) {
    const of = { count: problems.length, message: last.message };
    return last.column === null
      ? texts.lastNotSaved(of)
      : texts.lastNotSavedIn({ ...of, column: labelOf(last.column) });
  }
  if (waiting > 0) return isThere ? texts.savingNow(waiting) : texts.savedLater(waiting);
  return saved > 0 ? texts.allSaved(saved) : null;
}
