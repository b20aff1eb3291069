import {
  type Extent,
  containsCell,
  isSingle,
  type CellPosition,
  type Rect,
  rectOf,
} from './rects.ts';

/** Which cell of a grid has the focus, and which blocks of cells are selected. A list of whole rows uses only the row. */
export interface GridFocus {
  readonly focus: CellPosition;
  /** the position to which the user moved the focus; the same object while the focus only follows its record */
  readonly chosen: CellPosition;
  /** the corner of the selected block that stays when the block is extended */
  readonly anchor: CellPosition;
  /** the opposite corner, which moves */
  readonly head: CellPosition;
  /** blocks that are selected besides that one */
  readonly otherBlocks: readonly Rect[];
  /** what the last move scrolls into view; null: no scrolling in this direction */
  readonly scrollTarget: { readonly row: number | null; readonly col: number | null };
  /** whether the grid has the focus: false until the user enters it */
  readonly active: boolean;
  /** the column where Tab started, to which Enter returns */
  readonly tabFrom: number | null;
  /** after Escape the next Tab leaves the grid */
  readonly leaving: boolean;
}

const FIRST: CellPosition = { row: 0, col: 1 };

export const INITIAL_FOCUS: GridFocus = {
  focus: FIRST,
  chosen: FIRST,
  anchor: FIRST,
  head: FIRST,
  otherBlocks: [],
  scrollTarget: FIRST,
  active: false,
  tabFrom: null,
  leaving: false,
};

/** The cells that each arrow moves over. */
const ARROWS = {
  up: { rows: -1, cols: 0 },
  down: { rows: 1, cols: 0 },
  left: { rows: 0, cols: -1 },
  right: { rows: 0, cols: 1 },
};
export type Arrow = keyof typeof ARROWS;
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
  | { readonly do: 'focus'; readonly position: CellPosition; readonly extent: Extent }
  /** focuses the row to which the focused record has moved; the keyboard stays where it is */
  | { readonly do: 'follow'; readonly row: number }
  /** the same once that row is found; if the user has moved the focus from `chosen` since, it stays there */
  | { readonly do: 'follow-found'; readonly row: number; readonly chosen: CellPosition }
  | { readonly do: 'step'; readonly step: FocusStep; readonly extent: Extent }
  /** moves the corner of the selected block */
  | { readonly do: 'extend'; readonly to: CellPosition; readonly extent: Extent }
  /** begins another block besides the selected ones */
  | { readonly do: 'add'; readonly position: CellPosition; readonly extent: Extent }
  /** selects the block between two cells; the focus stays if it is within it */
  | {
      readonly do: 'block';
      readonly anchor: CellPosition;
      readonly head: CellPosition;
      readonly extent: Extent;
    }
  | { readonly do: 'leaving' }
  /** the grid gains or loses the focus */
  | { readonly do: 'active' }
  | { readonly do: 'inactive' };

export function focusReducer(state: GridFocus, action: FocusAction): GridFocus {
  switch (action.do) {
    case 'focus':
      return {
        ...withSingleSelection(state, clampToGrid(action.position, action.extent)),
        tabFrom: null,
      };
    case 'follow': {
      const focus = { row: action.row, col: state.focus.col };
      const scrollTarget = { row: action.row, col: null };
      return {
        ...state,
        focus,
        anchor: focus,
        head: focus,
        otherBlocks: [],
        scrollTarget,
        tabFrom: null,
      };
    }
    case 'follow-found':
      return action.chosen === state.chosen
        ? focusReducer(state, { do: 'follow', row: action.row })
        : state;
    case 'step': {
      const { step, extent } = action;
      const tabbing = step === 'next' || step === 'previous';
      const staysInBlock = tabbing || step === 'enter' || step === 'back-enter';
      const block = blockOf(state);
      if (staysInBlock && block && !isSingle([block]) && containsCell(block, state.focus)) {
        const focus = nextInBlock(block, state.focus, step);
        return { ...state, focus, chosen: focus, scrollTarget: focus, active: true };
      }
      const focus = clampToGrid(stepFrom(state, step, extent), extent);
      return {
        ...withSingleSelection(state, focus),
        tabFrom: tabbing ? (state.tabFrom ?? state.focus.col) : null,
      };
    }
    case 'extend': {
      const head = clampToCells(action.to, action.extent);
      // The far corner of an extended row selection is off the right edge: no horizontal scrolling.
      const scrollTarget = {
        row: head.row === state.head.row ? null : head.row,
        col: head.col === state.head.col ? null : head.col,
      };
      return { ...state, head, scrollTarget, active: true, leaving: false };
    }
    case 'add': {
      const block = blockOf(state);
      const next = withSingleSelection(state, clampToGrid(action.position, action.extent));
      return {
        ...next,
        otherBlocks: block ? [...state.otherBlocks, block] : state.otherBlocks,
        tabFrom: null,
      };
    }
    case 'block': {
      const anchor = clampToCells(action.anchor, action.extent);
      const head = clampToCells(action.head, action.extent);
      const focus = containsCell(rectOf(anchor, head), state.focus) ? state.focus : anchor;
      // Selecting a whole row does not scroll to its end.
      return {
        ...withSingleSelection(state, focus),
        anchor,
        head,
        scrollTarget: state.scrollTarget,
        tabFrom: null,
      };
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
  return block ? [...state.otherBlocks, block] : state.otherBlocks;
}

function blockOf({ anchor, head }: GridFocus): Rect | null {
  return anchor.row < 0 || anchor.col < 1 ? null : rectOf(anchor, head);
}

function withSingleSelection(state: GridFocus, focus: CellPosition): GridFocus {
  const corners = { focus, chosen: focus, anchor: focus, head: focus, scrollTarget: focus };
  return { ...state, ...corners, otherBlocks: [], active: true, leaving: false };
}

/** The nearest position within the grid; headings are included, so that arrow keys reach them. */
function clampToGrid({ row, col }: CellPosition, { rows, cols }: Extent): CellPosition {
  return {
    row: Math.max(-1, Math.min(row, rows - 1)),
    // The corner cell cannot be focused.
    col: Math.max(row < 0 ? 1 : 0, Math.min(col, cols)),
  };
}

/** The nearest position that is not a heading. */
function clampToCells(position: CellPosition, extent: Extent): CellPosition {
  const { row, col } = clampToGrid(position, extent);
  return { row: Math.max(0, row), col: Math.max(1, col) };
}

export function isArrow(by: Arrow | Jump): by is Arrow {
  return Object.hasOwn(ARROWS, by);
}

/**
 * The position to which a key leads; it may be outside the grid.
 * @param page rows of a page
 */
export function positionAfter(
  from: CellPosition,
  by: Arrow | Jump,
  { rows, cols }: Extent,
  page: number,
): CellPosition {
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

function arrowFrom({ row, col }: CellPosition, arrow: Arrow): CellPosition {
  const { rows, cols } = ARROWS[arrow];
  return { row: row + rows, col: col + cols };
}

function stepFrom(
  { focus, tabFrom }: GridFocus,
  step: FocusStep,
  { rows, cols }: Extent,
): CellPosition {
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
function nextInBlock(block: Rect, { row, col }: CellPosition, step: FocusStep): CellPosition {
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
export function isTabLeavingGrid(
  state: GridFocus,
  backwards: boolean,
  { rows, cols }: Extent,
): boolean {
  const { row, col } = state.focus;
  if (state.leaving || row < 0) return true;
  if (!isSingle(selectedBlocks(state))) return false;
  return backwards ? row === 0 && col <= 1 : row >= rows - 1 && col >= cols;
}
