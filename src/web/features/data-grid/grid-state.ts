import type { Scalar } from '#shared/values.ts';
import type { RowKey, Stored } from './edits.ts';

/** Row -1 holds the headers, column 0 the row headers; columns of the table count from 1. */
export interface Place {
  readonly row: number;
  readonly col: number;
}

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
  readonly focus: Place;
  /** whether the focused cell should take the keyboard: not before somebody came into the grid */
  readonly active: boolean;
  /** the column where Tab began, to which Enter returns */
  readonly tabFrom: number | null;
  readonly editing: Editing | null;
  /** after Escape the next Tab leaves the grid */
  readonly leaving: boolean;
  readonly selected: ReadonlySet<string>;
  /** where a selection with Shift begins */
  readonly anchor: number | null;
}

export const START: GridState = {
  focus: { row: 0, col: 1 },
  active: false,
  tabFrom: null,
  editing: null,
  leaving: false,
  selected: new Set(),
  anchor: null,
};

/** Rows and columns of the table, without headers. */
export interface Extent {
  readonly rows: number;
  readonly cols: number;
}

export type Step = 'up' | 'down' | 'left' | 'right' | 'next' | 'previous' | 'enter' | 'back-enter';

export type GridAction =
  | { readonly do: 'focus'; readonly place: Place; readonly extent: Extent }
  | { readonly do: 'step'; readonly step: Step; readonly extent: Extent }
  | { readonly do: 'edit'; readonly editing: Editing }
  | { readonly do: 'text'; readonly text: string }
  | { readonly do: 'end-edit' }
  | { readonly do: 'leaving' }
  | { readonly do: 'inactive' }
  | {
      readonly do: 'select';
      readonly selected: ReadonlySet<string>;
      readonly anchor: number | null;
    };

/** What is focused, edited and selected in the grid. */
export function gridReducer(state: GridState, action: GridAction): GridState {
  switch (action.do) {
    case 'focus':
      return {
        ...state,
        focus: within(action.place, action.extent),
        active: true,
        tabFrom: null,
        leaving: false,
      };
    case 'step': {
      const { step } = action;
      const focus = within(stepFrom(state, step, action.extent), action.extent);
      const tabbing = step === 'next' || step === 'previous';
      const tabFrom = tabbing ? (state.tabFrom ?? state.focus.col) : null;
      return { ...state, focus, tabFrom, active: true, leaving: false };
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
    case 'inactive':
      return { ...state, active: false, leaving: false };
    case 'select':
      return { ...state, selected: action.selected, anchor: action.anchor };
    default:
      return action satisfies never;
  }
}

/** The place within the grid that is nearest; header cells count, so that sorting is reached by arrow keys. */
function within({ row, col }: Place, { rows, cols }: Extent): Place {
  return {
    row: Math.max(-1, Math.min(row, rows - 1)),
    col: Math.max(0, Math.min(col, cols)),
  };
}

function stepFrom({ focus, tabFrom }: GridState, step: Step, { rows, cols }: Extent): Place {
  const { row, col } = focus;
  switch (step) {
    case 'up':
      return { row: row - 1, col };
    case 'down':
      return { row: row + 1, col };
    case 'left':
      return { row, col: col - 1 };
    case 'right':
      return { row, col: col + 1 };
    case 'next':
      return col < cols || row >= rows - 1 ? { row, col: col + 1 } : { row: row + 1, col: 1 };
    case 'previous':
      return col > 1 || row <= 0 ? { row, col: Math.max(1, col - 1) } : { row: row - 1, col: cols };
    case 'enter':
      return { row: row + 1, col: tabFrom ?? col };
    case 'back-enter':
      return { row: row - 1, col };
    default:
      return step satisfies never;
  }
}

/** Whether Tab is to leave the grid: after Escape, and at either end of it. */
export function tabLeaves(state: GridState, backwards: boolean, { rows, cols }: Extent): boolean {
  const { row, col } = state.focus;
  if (state.leaving || row < 0) return true;
  return backwards ? row === 0 && col <= 1 : row >= rows - 1 && col >= cols;
}

/** The rows that a click or key on a row header selects. */
export function selectionOf(
  selected: ReadonlySet<string>,
  keys: readonly string[],
  how: 'only' | 'toggle' | 'range',
): ReadonlySet<string> {
  if (how === 'range') return new Set(keys);
  if (how === 'only') {
    const same = selected.size === keys.length && keys.every((key) => selected.has(key));
    return new Set(same ? [] : keys);
  }
  const next = new Set(selected);
  for (const key of keys) if (!next.delete(key)) next.add(key);
  return next;
}
