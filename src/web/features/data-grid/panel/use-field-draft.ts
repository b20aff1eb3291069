import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Column } from '#shared/definitions.ts';
import type { Scalar } from '#shared/values.ts';
import { valueText } from '#web/ui/value-text.ts';
import type { Desk } from '../desk.ts';
import { type CellEdit, type Stored, textShown, valueShown } from '../edits.ts';

interface FieldDraftOptions {
  readonly desk: Desk;
  readonly record: Stored;
  readonly column: Column;
  readonly edit: CellEdit | undefined;
}

interface Draft {
  readonly text: string | null;
  /** what the field showed when the typing began */
  readonly seen: Scalar;
}

/** What is typed into a field of the form; it goes to the desk when the field is left, chosen or confirmed. */
export function useFieldDraft({ desk, record, column, edit }: FieldDraftOptions) {
  const shown = valueShown(edit, record.dataset[column.name] ?? null);
  const settled = shownText(column, edit, shown);
  const draft = useRef<Draft | null>(null);
  const [typed, setTyped] = useState<Draft | null>(null);
  const hold = (next: Draft | null) => {
    draft.current = next;
    setTyped(next);
  };

  const commit = () => {
    const ended = draft.current;
    if (!ended) return;
    hold(null);
    if (ended.text === settled) return;
    const { seen } = ended;
    desk.type(record.dataset.jrid, column, ended.text, { seen, listed: record });
  };
  // The form may go to another record, or go away, while somebody types.
  const onGone = useEffectEvent(commit);
  useEffect(() => () => onGone(), []);

  return {
    text: typed ? typed.text : settled,
    /** the value that stands, without what is being typed */
    shown,
    typing: typed !== null,
    /** whether another value has come since the typing began */
    overtaken: typed !== null && typed.seen !== shown,
    change: (text: string | null) => {
      hold({ text, seen: draft.current?.seen ?? shown });
      // What is chosen is meant; what is typed may go on.
      if (column.options || column.type === 'boolean') commit();
    },
    commit,
    drop: () => hold(null),
  };
}

function shownText(column: Column, edit: CellEdit | undefined, shown: Scalar): string | null {
  if (edit?.status.is === 'unread') return edit.text;
  if (shown === null) return null;
  return column.type === 'boolean' ? valueText(shown, column) : textShown(column, edit, shown);
}
