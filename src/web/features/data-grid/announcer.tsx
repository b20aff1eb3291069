import { useRef, useState } from 'react';
import { useStore } from '#web/api/use-store.ts';
import { connection } from '#web/api/connection.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { useDebouncedEffect } from '#web/ui/use-debounced-effect.ts';
import { countEdits, type Edits } from './edit-store/edits.ts';
import type { GridProblem } from './problems/use-problems.ts';
import * as texts from '#messages/tables.ts';

/** Milliseconds without a change before an announcement, so that short-lived states are skipped. */
const ANNOUNCEMENT_DELAY = 600;

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
  readonly changedWhileEditing: string | null;
  /** the number of just deleted datasets that can be restored */
  readonly deleted: number;
  /** whether others have added or deleted datasets since the list was loaded */
  readonly outdated: boolean;
  /** `The table shows 12 records.`; null: unknown */
  readonly count: string | null;
}

/** Announces changes in the grid outside the focused cell to screen readers (ARIA live region). */
export function Announcer(props: AnnouncerProps) {
  const state = useStore(connection);
  const phrases = [
    props.selected,
    savingText(props, state === 'fine'),
    props.changedWhileEditing,
    props.deleted > 0 ? texts.recordsDeleted(props.deleted) : null,
    props.outdated ? texts.othersChanged : null,
    props.count,
  ];
  const now = phrases.map((phrase) => phrase ?? '').join('\n');
  const [announcement, setAnnouncement] = useState('');
  const announced = useRef(now);
  useDebouncedEffect(now, ANNOUNCEMENT_DELAY, () => {
    const before = announced.current.split('\n');
    announced.current = now;
    const changed = now.split('\n').filter((phrase, i) => phrase !== '' && phrase !== before[i]);
    if (changed.length > 0) setAnnouncement(changed.join(' '));
  });
  return (
    <VisuallyHidden as="div" role="status" aria-label={texts.status}>
      {announcement}
    </VisuallyHidden>
  );
}

function savingText(
  { edits, saved, problems, labelOf }: AnnouncerProps,
  isConnected: boolean,
): string | null {
  const { waiting } = countEdits(edits);
  const last = problems.at(-1);
  if (last) {
    const of = { count: problems.length, message: last.message };
    return last.column === null
      ? texts.lastNotSaved(of)
      : texts.lastNotSavedIn({ ...of, column: labelOf(last.column) });
  }
  if (waiting > 0) return isConnected ? texts.savingNow(waiting) : texts.savedLater(waiting);
  return saved > 0 ? texts.allSaved(saved) : null;
}
