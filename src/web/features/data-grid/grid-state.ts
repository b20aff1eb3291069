import type { Scalar } from '#shared/values/values.ts';
import type { RowKey, Stored } from './edit-store/edits.ts';
import { type Extent, holds, isSingle, type Place, type Rect, rectOf } from '#web/grid/rects.ts';

/**
 * How an editor was opened: by typing (arrow keys then move on to another cell) or to change what is there
 * (arrow keys then move within the text).
 */
export type EditorMode = 'typing' | 'changing';

export interface Editing {
  readonly place: Place;
  readonly key: RowKey;
  /** the record as it was listed then; null in a new row */
  readonly listed: Stored | null;
  /** the value that the cell showed then */
  readonly seen: Scalar;
  readonly column: string;
  readonly mode: EditorMode;
  /** what the cell held when the editor was opened */
  readonly initial: string;
  readonly text: string;
}

export interface GridState {
  /** where typing goes */
  readonly focus: Place;
  /** the corner of the selected block that stays while it is extended */
  readonly anchor: Place;
  /** the opposite corner, which moves */
  readonly head: Place;
  /** blocks selected beside that one */
  readonly added: readonly Rect[];
  /** what the last move brings into sight; null: that direction stays as it is */
  readonly shown: { readonly row: number | null; readonly col: number | null };
  /** whether the focused cell should take the keyboard: not before somebody came into the grid */
  readonly active: boolean;
  /** the column where Tab began, to which Enter returns */
  readonly tabFrom: number | null;
  readonly editing: Editing | null;
  /** after Escape the next Tab leaves the grid */
  readonly leaving: boolean;
  /** records chosen by their row headers */
  readonly selected: ReadonlySet<string>;
  /** the row where choosing with Shift begins */
  readonly selectedFrom: number | null;
}

const FIRST: Place = { row: 0, col: 1 };

export const START: GridState = {
  focus: FIRST,
  anchor: FIRST,
  head: FIRST,
  added: [],
  shown: FIRST,
  active: false,
  tabFrom: null,
  editing: null,
  leaving: false,
  selected: new Set(),
  selectedFrom: null,
};

export type Step = 'up' | 'down' | 'left' | 'right' | 'next' | 'previous' | 'enter' | 'back-enter';

export type GridAction =
  /** goes to a cell; what was selected is so no longer */
  | { readonly do: 'focus'; readonly place: Place; readonly extent: Extent }
  /** goes where the focused record stands now; the keyboard stays where it is */
  | { readonly do: 'follow'; readonly row: number }
  | { readonly do: 'step'; readonly step: Step; readonly extent: Extent }
  /** moves the corner of the selected block */
  | { readonly do: 'extend'; readonly to: Place; readonly extent: Extent }
  /** begins another block beside those there are */
  | { readonly do: 'add'; readonly place: Place; readonly extent: Extent }
  /** selects the block between two cells; the focus stays where it lies within */
  | {
      readonly do: 'block';
      readonly anchor: Place;
      readonly head: Place;
      readonly extent: Extent;
    }
  | { readonly do: 'edit'; readonly editing: Editing }
  | { readonly do: 'text'; readonly text: string }
  | { readonly do: 'end-edit' }
  | { readonly do: 'leaving' }
  /** the keyboard comes to where it was in the grid, or leaves it */
  | { readonly do: 'active' }
  | { readonly do: 'inactive' }
  | {
      readonly do: 'select';
      readonly selected: ReadonlySet<string>;
      readonly from: number | null;
    };

/** What is focused, edited and selected in the grid. */
export function gridReducer(state: GridState, action: GridAction): GridState {
  switch (action.do) {
    case 'focus':
      return { ...alone(state, within(action.place, action.extent)), tabFrom: null };
    case 'follow': {
      const focus = { row: action.row, col: state.focus.col };
      const shown = { row: action.row, col: null };
      return { ...state, focus, anchor: focus, head: focus, added: [], shown, tabFrom: null };
    }
    case 'step': {
      const { step, extent } = action;
      const tabbing = step === 'next' || step === 'previous';
      const around = tabbing || step === 'enter' || step === 'back-enter';
      const block = blockOf(state);
      if (around && block && !isSingle([block]) && holds(block, state.focus)) {
        const focus = aroundIn(block, state.focus, step);
        return { ...state, focus, shown: focus, active: true };
      }
      const focus = within(stepFrom(state, step, extent), extent);
      return {
        ...alone(state, focus),
        tabFrom: tabbing ? (state.tabFrom ?? state.focus.col) : null,
      };
    }
    case 'extend': {
      const head = inCells(action.to, action.extent);
      // A whole row that is extended downwards has its corner far off at the right, where nothing happens.
      const shown = {
        row: head.row === state.head.row ? null : head.row,
        col: head.col === state.head.col ? null : head.col,
      };
      return { ...state, head, shown, active: true, leaving: false };
    }
    case 'add': {
      const block = blockOf(state);
      const next = alone(state, within(action.place, action.extent));
      return { ...next, added: block ? [...state.added, block] : state.added, tabFrom: null };
    }
    case 'block': {
      const anchor = inCells(action.anchor, action.extent);
      const head = inCells(action.head, action.extent);
      const focus = holds(rectOf(anchor, head), state.focus) ? state.focus : anchor;
      // Who selects a whole row wants to stay where it begins.
      return { ...alone(state, focus), anchor, head, shown: state.shown, tabFrom: null };
    }
    case 'edit':
      return {
        ...state,
        editing: action.editing,
        focus: action.editing.place,
        active: true,
        leaving: false,
      };
    case 'text':
      return state.editing ? { ...state, editing: { ...state.editing, text: action.text } } : state;
    case 'end-edit':
      return { ...state, editing: null };
    case 'leaving':
      return { ...state, leaving: true };
    case 'active':
      return { ...state, active: true };
    case 'inactive':
      return { ...state, active: false, leaving: false };
    case 'select':
      return { ...state, selected: action.selected, selectedFrom: action.from };
    default:
      return action satisfies never;
  }
}

/** The blocks of cells that are selected, the one that Shift extends as the last; none on headers. */
export function selectedBlocks(state: GridState): readonly Rect[] {
  const block = blockOf(state);
  return block ? [...state.added, block] : state.added;
}

function blockOf({ anchor, head }: GridState): Rect | null {
  return anchor.row < 0 || anchor.col < 1 ? null : rectOf(anchor, head);
}

function alone(state: GridState, focus: Place): GridState {
  const corners = { focus, anchor: focus, head: focus, shown: focus };
  return { ...state, ...corners, added: [], active: true, leaving: false };
}

/** The place within the grid that is nearest; header cells count, so that sorting is reached by arrow keys. */
function within({ row, col }: Place, { rows, cols }: Extent): Place {
  return {
    row: Math.max(-1, Math.min(row, rows - 1)),
    // The corner is neither: there is nothing to be done with it.
    col: Math.max(row < 0 ? 1 : 0, Math.min(col, cols)),
  };
}

/** The nearest place that is no header. */
function inCells(place: Place, extent: Extent): Place {
  const { row, col } = within(place, extent);
  return { row: Math.max(0, row), col: Math.max(1, col) };
}

/** One step of an arrow key from a place. */
export function arrowFrom({ row, col }: Place, step: 'up' | 'down' | 'left' | 'right'): Place {
  switch (step) {
    case 'up':
      return { row: row - 1, col };
    case 'down':
      return { row: row + 1, col };
    case 'left':
      return { row, col: col - 1 };
    case 'right':
      return { row, col: col + 1 };
    default:
      return step satisfies never;
  }
}

function stepFrom({ focus, tabFrom }: GridState, step: Step, { rows, cols }: Extent): Place {
  const { row, col } = focus;
  switch (step) {
    case 'next':
      return col < cols || row >= rows - 1 ? { row, col: col + 1 } : { row: row + 1, col: 1 };
    case 'previous':
      return col > 1 || row <= 0 ? { row, col: Math.max(1, col - 1) } : { row: row - 1, col: cols };
    case 'enter':
      return { row: row + 1, col: tabFrom ?? col };
    case 'back-enter':
      return { row: row - 1, col };
    default:
      return arrowFrom(focus, step);
  }
}

/** Within a selected block, Tab goes along its rows and Enter down its columns, around its ends. */
function aroundIn(block: Rect, { row, col }: Place, step: Step): Place {
  const { top, left, bottom, right } = block;
  switch (step) {
    case 'next':
      if (col < right) return { row, col: col + 1 };
      return { row: row < bottom ? row + 1 : top, col: left };
    case 'previous':
      if (col > left) return { row, col: col - 1 };
      return { row: row > top ? row - 1 : bottom, col: right };
    case 'back-enter':
      if (row > top) return { row: row - 1, col };
      return { row: bottom, col: col > left ? col - 1 : right };
    default:
      if (row < bottom) return { row: row + 1, col };
      return { row: top, col: col < right ? col + 1 : left };
  }
}

/** Whether Tab is to leave the grid: after Escape, and at either end of it. */
export function tabLeaves(state: GridState, backwards: boolean, { rows, cols }: Extent): boolean {
  const { row, col } = state.focus;
  if (state.leaving || row < 0) return true;
  if (!isSingle(selectedBlocks(state))) return false;
  return backwards ? row === 0 && col <= 1 : row >= rows - 1 && col >= cols;
}

/** The records that a click or key on a row header chooses. */
export function selectionOf(
  selected: ReadonlySet<string>,
  keys: readonly string[],
  how: 'toggle' | 'range',
): ReadonlySet<string> {
  if (how === 'range') return new Set(keys);
  const next = new Set(selected);
  for (const key of keys) if (!next.delete(key)) next.add(key);
  return next;
}
