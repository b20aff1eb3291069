import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useRef } from 'react';
import { summary, toFailure } from '#web/api/failure.ts';
import { notify } from '#web/ui/notify.ts';
import { gridAction } from './list-keys.ts';
import { useRowHeight } from './use-row-height.ts';
import type { RevisionRows } from './use-revision-rows.ts';
import type { SelectionActions } from './use-selection.ts';

interface GridMovesOptions {
  readonly rows: RevisionRows;
  readonly actions: SelectionActions;
  readonly openId: string | undefined;
  readonly onOpen: (revisionId: string, enter: boolean) => void;
  /** Escape: undoes the selection, or closes the form */
  readonly onLeave: () => void;
  readonly cursor: number;
  readonly onCursor: (index: number) => void;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly scrollTo: (index: number) => void;
}

/** While the arrow keys are held down, forms are not opened one by one. */
const FOLLOW_AFTER = 140;

/** What keys and clicks do in the list: move, select, open. An open form follows the cursor. */
export function useGridMoves(options: GridMovesOptions) {
  const { rows, actions, openId, onOpen, onLeave, cursor, onCursor, scroller, scrollTo } = options;

  const rowHeight = useRowHeight();
  const opening = useRef(0);
  const openRow = async (index: number, enter: boolean) => {
    const turn = ++opening.current;
    try {
      const revisionId = await rows.idAt(index);
      // A row that had to be read first is not opened over one that was asked for since.
      if (revisionId !== null && turn === opening.current) onOpen(revisionId, enter);
    } catch (error) {
      notify(`The revision could not be opened. ${summary(toFailure(error))}`);
    }
  };
  const following = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(following.current), []);
  const move = (to: number, extend: boolean) => {
    if (extend) actions.extendTo(to);
    else actions.startAt(to);
    onCursor(to);
    scrollTo(to);
    clearTimeout(following.current);
    if (openId !== undefined && !extend) {
      following.current = setTimeout(() => void openRow(to, false), FOLLOW_AFTER);
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
    const action = gridAction(event.nativeEvent, { cursor, count: rows.count, page });
    if (!action) return;
    event.preventDefault();
    switch (action.kind) {
      case 'move':
        move(action.to, action.extend);
        break;
      case 'toggle':
        actions.toggle(cursor);
        break;
      case 'open':
        clearTimeout(following.current);
        void openRow(cursor, true);
        break;
      case 'all':
        actions.all();
        break;
      case 'leave':
        onLeave();
        break;
      case 'sideways':
        scroller.current?.scrollBy({ left: action.by });
        break;
      default:
        action satisfies never;
    }
  };

  const onClick = (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return;
    const index = Number(event.target.closest('[data-row]')?.getAttribute('data-row') ?? -1);
    if (index < 0) return;
    onCursor(index);
    clearTimeout(following.current);
    if (event.shiftKey) actions.extendTo(index);
    else if (event.ctrlKey || event.metaKey || event.target.closest('[data-gutter]')) {
      actions.toggle(index);
    } else {
      actions.startAt(index);
      void openRow(index, false);
    }
  };

  return { onKeyDown, onClick };
}
