import { type Extent, containsPlace, isSingle, type Place, type Rect, rectOf } from './rects.ts';

/** Which cell of a grid has the focus, and which blocks of cells are selected. A list of whole rows uses only the row. */
export interface GridFocus {
  readonly focus: Place;
  /** the corner of the selected block that stays when the block is extended */
  readonly anchor: Place;
  /** the opposite corner, which moves */
  readonly head: Place;
  /** blocks that are selected besides that one */
  readonly added: readonly Rect[];
  /** what the last move scrolls into view; null: no scrolling in this direction */
  readonly shown: { readonly row: number | null; readonly col: number | null };
  /** whether the grid has the focus: false until the user enters it */
  readonly active: boolean;
  /** the column where Tab started, to which Enter returns */
  readonly tabFrom: number | null;
  /** after Escape the next Tab leaves the grid */
  readonly leaving: boolean;
}

const FIRST: Place = { row: 0, col: 1 };

export const START: GridFocus = {
  focus: FIRST,
  anchor: FIRST,
  head: FIRST,
  added: [],
  shown: FIRST,
  active: false,
  tabFrom: null,
  leaving: false,
};

export type Arrow = 'up' | 'down' | 'left' | 'right';
export type FocusStep = Arrow | 'next' | 'previous' | 'enter' | 'back-enter';
export type Jump =
  | 'row-start'
  | 'row-end'
  | 'page-up'
  | 'page-down'
  | 'top'
  | 'bottom'
  | 'first'
  | 'last';

export type FocusAction =
  /** focuses a cell; removes the selection of blocks */
  | { readonly do: 'focus'; readonly place: Place; readonly extent: Extent }
  /** focuses the row to which the focused record has moved; the keyboard stays where it is */
  | { readonly do: 'follow'; readonly row: number }
  | { readonly do: 'step'; readonly step: FocusStep; readonly extent: Extent }
  /** moves the corner of the selected block */
  | { readonly do: 'extend'; readonly to: Place; readonly extent: Extent }
  /** begins another block besides the selected ones */
  | { readonly do: 'add'; readonly place: Place; readonly extent: Extent }
  /** selects the block between two cells; the focus stays if it is within it */
  | {
      readonly do: 'block';
      readonly anchor: Place;
      readonly head: Place;
      readonly extent: Extent;
    }
  | { readonly do: 'leaving' }
  /** the grid gains or loses the focus */
  | { readonly do: 'active' }
  | { readonly do: 'inactive' };

export function focusReducer(state: GridFocus, action: FocusAction): GridFocus {
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
      if (around && block && !isSingle([block]) && containsPlace(block, state.focus)) {
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
      // The far corner of an extended row selection is off the right edge: no horizontal scrolling.
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
      const focus = containsPlace(rectOf(anchor, head), state.focus) ? state.focus : anchor;
      // Selecting a whole row does not scroll to its end.
      return { ...alone(state, focus), anchor, head, shown: state.shown, tabFrom: null };
    }
    case 'leaving':
      return { ...state, leaving: true };
    case 'active':
      return { ...state, active: true, leaving: false };
    case 'inactive':
      return { ...state, active: false, leaving: false };
    default:
      return action satisfies never;
  }
}

/** The selected blocks of cells, the one that Shift extends as the last; none on headings. */
export function selectedBlocks(state: GridFocus): readonly Rect[] {
  const block = blockOf(state);
  return block ? [...state.added, block] : state.added;
}

function blockOf({ anchor, head }: GridFocus): Rect | null {
  return anchor.row < 0 || anchor.col < 1 ? null : rectOf(anchor, head);
}

function alone(state: GridFocus, focus: Place): GridFocus {
  const corners = { focus, anchor: focus, head: focus, shown: focus };
  return { ...state, ...corners, added: [], active: true, leaving: false };
}

/** The nearest place within the grid; headings are included, so that arrow keys reach them. */
function within({ row, col }: Place, { rows, cols }: Extent): Place {
  return {
    row: Math.max(-1, Math.min(row, rows - 1)),
    // The corner cell cannot be focused.
    col: Math.max(row < 0 ? 1 : 0, Math.min(col, cols)),
  };
}

/** The nearest place that is not a heading. */
function inCells(place: Place, extent: Extent): Place {
  const { row, col } = within(place, extent);
  return { row: Math.max(0, row), col: Math.max(1, col) };
}

const ARROWS: ReadonlySet<string> = new Set<Arrow>(['up', 'down', 'left', 'right']);
export function isArrow(by: Arrow | Jump): by is Arrow {
  return ARROWS.has(by);
}

/**
 * The place to which a key leads; it may be outside the grid.
 * @param page rows of a page
 */
export function placeFrom(
  from: Place,
  by: Arrow | Jump,
  { rows, cols }: Extent,
  page: number,
): Place {
  const { row, col } = from;
  if (isArrow(by)) return arrowFrom(from, by);
  switch (by) {
    case 'row-start':
      return { row, col: 1 };
    case 'row-end':
      return { row, col: cols };
    case 'page-up':
      return { row: Math.max(0, row - page), col };
    case 'page-down':
      return { row: row + page, col };
    case 'top':
      return { row: 0, col };
    case 'bottom':
      return { row: rows - 1, col };
    case 'first':
      return { row: 0, col: 1 };
    case 'last':
      return { row: rows - 1, col: cols };
    default:
      return by satisfies never;
  }
}

function arrowFrom({ row, col }: Place, step: Arrow): Place {
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

function stepFrom({ focus, tabFrom }: GridFocus, step: FocusStep, { rows, cols }: Extent): Place {
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

/** Within a selected block, Tab moves along its rows and Enter down its columns, and wraps at its end. */
function aroundIn(block: Rect, { row, col }: Place, step: FocusStep): Place {
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

/** Whether Tab leaves the grid: after Escape, on headings, and at either end of the grid. */
export function tabLeaves(state: GridFocus, backwards: boolean, { rows, cols }: Extent): boolean {
  const { row, col } = state.focus;
  if (state.leaving || row < 0) return true;
  if (!isSingle(selectedBlocks(state))) return false;
  return backwards ? row === 0 && col <= 1 : row >= rows - 1 && col >= cols;
}
