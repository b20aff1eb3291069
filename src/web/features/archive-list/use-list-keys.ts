import * as texts from '#messages/archive-list.ts';
import {
  type Dispatch,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useRef,
} from 'react';
import { summary, toFailure } from '#web/api/failure.ts';
import { type FocusAction, type GridFocus, positionAfter } from '#web/grid/grid-focus.ts';
import type { Extent, CellPosition } from '#web/grid/rects.ts';
import { discardFormKeys, bufferFormKeys, mayTakeKeys } from '#web/ui/form-key-buffer.ts';
import { notifyFailure } from '#web/ui/notify.ts';
import { headingAction, type ListAction, rowAction } from './list-keys.ts';
import { useRowHeight } from './use-row-height.ts';
import type { RevisionRows } from './use-revision-rows.ts';
import type { RevisionSelection } from './use-revision-selection.ts';

interface ListKeysOptions {
  readonly rows: RevisionRows;
  readonly selection: RevisionSelection;
  readonly openId: string | undefined;
  readonly onOpen: (revisionId: string, enter: boolean) => void;
  /** Escape: clears the selection, or closes the form */
  readonly onLeave: () => void;
  readonly state: GridFocus;
  readonly dispatch: Dispatch<FocusAction>;
  readonly extent: Extent;
  readonly scroller: RefObject<HTMLElement | null>;
}

/**
 * How long a row must have the focus before the open form shows its revision, in milliseconds: held arrow keys open no
 * form.
 */
const FOLLOW_AFTER = 140;

/** The actions of keys and clicks in the list: move, select, open. An open form follows the focused row. */
export function useListKeys(options: ListKeysOptions) {
  const { selection, openId, onLeave, state, dispatch, extent, scroller } = options;
  const { focus } = state;
  const row = Math.max(0, focus.row);
  const rowHeight = useRowHeight();
  const { openRow, followTo, cancelFollow } = useRowOpener(options);

  const goTo = (position: CellPosition) => dispatch({ do: 'focus', position, extent });
  const move = (position: CellPosition, extend: boolean) => {
    const to = Math.min(Math.max(position.row, 0), extent.rows - 1);
    if (extend) selection.extendTo(to, row);
    else selection.startAt(to);
    goTo({ row: to, col: 1 });
    if (openId !== undefined && !extend) followTo(to);
    else cancelFollow();
  };

  const act = (action: ListAction) => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
    switch (action.do) {
      case 'move':
      case 'extend': {
        const position = positionAfter(focus, action.to, extent, page);
        const isHeading = position.row < 0 && action.do === 'move';
        if (focus.row < 0 || (isHeading && action.to === 'up')) goTo(position);
        else move(position, action.do === 'extend');
        break;
      }
      case 'toggle':
        selection.toggle(row);
        break;
      case 'open':
        openRow(row, true);
        break;
      case 'all':
        selection.all();
        break;
      case 'leave':
        onLeave();
        break;
      case 'scroll':
        scroller.current?.scrollBy({ left: action.by });
        break;
      default:
        action satisfies never;
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (focus.row < 0 && event.target === scroller.current && !MODIFIERS.has(event.key)) {
      const action = headingAction(event);
      if (action) act(action);
      else goTo({ row: 0, col: 1 });
      if (action || event.key === 'Escape') {
        event.preventDefault();
        event.stopPropagation();
        return;
      }
    }
    const action = rowAction(event);
    if (!action) return;
    event.preventDefault();
    act(action);
  };

  const onClick = (event: MouseEvent) => {
    if (focus.row < 0) goTo({ row: 0, col: 1 });
    if (!(event.target instanceof Element)) return;
    const index = Number(event.target.closest('[data-row]')?.getAttribute('data-row') ?? -1);
    if (index < 0) return;
    goTo({ row: index, col: 1 });
    cancelFollow();
    if (event.shiftKey) selection.extendTo(index, row);
    else if (event.ctrlKey || event.metaKey || event.target.closest('[data-gutter]')) {
      selection.toggle(index);
    } else {
      selection.startAt(index);
      openRow(index, false);
    }
  };

  return { onKeyDown, onClick };
}

/** Opens rows at once, or with a delay. */
function useRowOpener({ rows, onOpen, scroller }: ListKeysOptions) {
  const request = useRef(0);
  const following = useRef<ReturnType<typeof setTimeout>>(undefined);
  const cancelFollow = () => clearTimeout(following.current);
  useEffect(() => () => clearTimeout(following.current), []);
  const open = async (index: number, enter: boolean) => {
    const current = ++request.current;
    if (enter) bufferFormKeys();
    try {
      const revisionId = await rows.idAt(index);
      // A row that had to be loaded first is not opened after a later request.
      if (current !== request.current) return;
      if (revisionId === null) discardFormKeys();
      else onOpen(revisionId, enter && mayTakeKeys(scroller.current));
    } catch (error) {
      if (current === request.current) discardFormKeys();
      notifyFailure(texts.notOpened(summary(toFailure(error))));
    }
  };
  return {
    openRow: (index: number, enter: boolean) => {
      cancelFollow();
      void open(index, enter);
    },
    /** opens a row unless another one has the focus soon */
    followTo: (index: number) => {
      cancelFollow();
      following.current = setTimeout(() => void open(index, false), FOLLOW_AFTER);
    },
    cancelFollow,
  };
}

const MODIFIERS: ReadonlySet<string> = new Set(['Alt', 'Control', 'Meta', 'Shift']);
