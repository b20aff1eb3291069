import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { isFocusLost } from '#web/ui/focus-fallback.ts';
import { mayTakeFocus } from '#web/ui/focus-request.ts';

interface RecordFocusOptions {
  readonly jrid: string;
  /** increases whenever the form is requested */
  readonly requests: number;
  readonly ready: boolean;
  /** the record was deleted: its fields are removed */
  readonly isDeleted: boolean;
}

/**
 * Focuses the form when it is requested or loses the focused field, and the same field of the next record.
 * @returns `keepField`: the focused field keeps the focus in the next record; `focusColumn` focuses the editor of one
 */
export function useRecordFocus(panel: RefObject<HTMLElement | null>, options: RecordFocusOptions) {
  const { jrid, requests, ready, isDeleted } = options;
  /** the column that gets the focus in the next record; null: the focus stays where it is */
  const nextColumn = useRef<string | null>(null);
  const done = useRef({ jrid, requests: 0 });
  const focus = useEffectEvent((field: HTMLElement | null | undefined) => {
    if (mayTakeFocus(panel.current)) (editorIn(field) ?? panel.current)?.focus();
  });
  useEffect(() => {
    if (!ready) return;
    const before = done.current;
    done.current = { jrid, requests };
    if (before.requests !== requests) {
      focus(panel.current?.querySelector<HTMLElement>('[data-column]'));
    } else if (before.jrid !== jrid && nextColumn.current !== null) {
      focus(fieldIn(panel.current, nextColumn.current));
      nextColumn.current = null;
    }
  }, [panel, jrid, requests, ready]);
  // Before the fallback for a lost focus, which is the grid.
  useLayoutEffect(() => {
    if (isDeleted && isFocusLost()) panel.current?.focus();
  }, [panel, isDeleted]);
  return {
    keepField: () => {
      const field = document.activeElement?.closest('[data-column]');
      nextColumn.current = field?.getAttribute('data-column') ?? null;
    },
    focusColumn: (column: string) => editorIn(fieldIn(panel.current, column))?.focus(),
  };
}

function fieldIn(panel: HTMLElement | null, column: string): HTMLElement | undefined {
  const fields = panel?.querySelectorAll<HTMLElement>('[data-column]') ?? [];
  return [...fields].find(({ dataset }) => dataset['column'] === column);
}

function editorIn(field: HTMLElement | null | undefined): HTMLElement | null | undefined {
  return field?.querySelector<HTMLElement>(
    'textarea, input:not([type=hidden]):not([type=radio]), input:checked',
  );
}
