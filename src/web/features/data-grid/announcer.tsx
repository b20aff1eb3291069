import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { connection } from '#web/api/connection.ts';
import { formatCount } from '#shared/messages/format.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { countEdits, type Edits } from './edit-store/edits.ts';
import { counted } from './grid-foot.tsx';
import type { Problem } from './problems/use-find-problem.ts';

/** Milliseconds of rest before anything is said: what comes and goes meanwhile is not worth hearing. */
const REST = 600;

interface AnnouncerProps {
  /** `12 cells selected`; null: one cell, of which its own words tell */
  readonly selected: string | null;
  readonly edits: Edits;
  /** changes saved since the grid was opened */
  readonly saved: number;
  readonly problems: readonly Problem[];
  /** how a column is called */
  readonly labelOf: (column: string) => string;
  /** what the value under the open editor has become meanwhile; null: it is the same */
  readonly overtaken: string | null;
  /** datasets just deleted that can be had back */
  readonly deleted: number;
  /** whether others have added or deleted datasets since the list was read */
  readonly outdated: boolean;
  /** `12 of 150 datasets`; null: not known yet */
  readonly count: string | null;
}

/** Tells screen readers what changes in the grid away from the focused cell (ARIA live region), all in one place. */
export function Announcer(props: AnnouncerProps) {
  const state = useSyncExternalStore(connection.subscribe, connection.get);
  const phrases = [
    props.selected,
    savingWords(props, state === 'fine'),
    props.overtaken,
    props.deleted > 0 ? `${counted(props.deleted)} deleted` : null,
    props.outdated ? 'Others added or deleted records' : null,
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
      if (fresh.length > 0) setSaid(fresh.map((phrase) => `${phrase}.`).join(' '));
    }, REST);
    return () => clearTimeout(timer);
  }, [now]);
  return (
    <VisuallyHidden as="div" role="status" aria-label="Status of the table">
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
    const count =
      problems.length === 1 ? '1 entry is' : `${formatCount(problems.length)} entries are`;
    const place = last.column === null ? '' : `${labelOf(last.column)}: `;
    return `${count} not saved. ${place}${last.message.replace(/\.$/, '')}`;
  }
  if (waiting > 0) {
    const changes = waiting === 1 ? 'a change' : `${formatCount(waiting)} changes`;
    return isThere ? `Saving ${changes}` : `The server is away, ${changes} will be saved later`;
  }
  return saved > 0 ? `All is saved, ${formatCount(saved)} since the table was opened` : null;
}
