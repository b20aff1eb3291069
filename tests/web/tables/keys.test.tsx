import { describe, expect, it, test } from 'vitest';
import {
  type FocusAction,
  focusReducer,
  INITIAL_FOCUS,
  isTabLeavingGrid,
} from '#web/grid/grid-focus.ts';
import {
  cellKey,
  editorKey,
  isForHeaders,
  type KeyAction,
  rowHeaderKey,
} from '#web/features/data-grid/dataset-keys.ts';
import { nextProblem } from '#web/features/data-grid/problems/use-problems.ts';

const press = (keys: string) => {
  const parts = keys.split('+');
  return {
    key: parts.at(-1) ?? '',
    ctrlKey: parts.includes('Ctrl'),
    metaKey: false,
    altKey: parts.includes('Alt'),
    shiftKey: parts.includes('Shift'),
  };
};

describe('keys on a cell', () => {
  it.each<[string, KeyAction | null]>([
    ['ArrowDown', { do: 'step', step: 'down' }],
    ['Tab', { do: 'step', step: 'next' }],
    ['Shift+Tab', { do: 'step', step: 'previous' }],
    ['Ctrl+Home', { do: 'jump', to: 'first' }],
    ['F2', { do: 'edit' }],
    ['Enter', { do: 'edit' }],
    ['Ctrl+Enter', { do: 'fill-selection' }],
    ['Delete', { do: 'clear' }],
    ['a', { do: 'type', text: 'a' }],
    ['Shift+Ä', { do: 'type', text: 'Ä' }],
    [' ', { do: 'type', text: ' ' }],
    ['Shift+ ', { do: 'select', what: 'row' }],
    ['Ctrl+ ', { do: 'select', what: 'column' }],
    ['Ctrl+a', { do: 'select', what: 'all' }],
    ['Shift+ArrowDown', { do: 'extend', by: 'down' }],
    ['Ctrl+Shift+End', { do: 'extend', by: 'last' }],
    ['Ctrl+d', { do: 'fill', to: 'down' }],
    ['Ctrl+;', { do: 'today' }],
    ['Ctrl+c', null],
    ['Ctrl+v', null],
    ['Shift', null],
    ['F5', null],
    // The page hears it and shows the keys.
    ['Shift+?', null],
  ])('%s', (keys, action) => {
    expect(cellKey(press(keys), false)).toEqual(action);
  });

  test('Space switches a yes/no cell', () => {
    expect(cellKey(press(' '), true)).toEqual({ do: 'toggle' });
  });
});

test('on a row header, Space selects and letters do nothing', () => {
  expect(rowHeaderKey(press(' '))).toEqual({ do: 'choose-row' });
  expect(rowHeaderKey(press('a'))).toBeNull();
});

describe('F8', () => {
  const next = { do: 'problem', by: 1 };
  test('is known wherever the keyboard is in the grid', () => {
    expect(cellKey(press('F8'), false)).toEqual(next);
    expect(rowHeaderKey(press('F8'))).toEqual(next);
    expect(editorKey(press('F8'), 'typing')).toEqual(next);
    expect(isForHeaders({ do: 'problem', by: 1 })).toBe(true);
  });

  const problem = (key: string, column: string | null) => ({
    key,
    column,
    text: null,
    message: 'wrong',
  });
  const [first, second, third] = [problem('1', 'a'), problem('2', 'a'), problem('new:1', null)];
  test('goes around, both ways', () => {
    const all = [first, second, third];
    expect(nextProblem(all, null, 1)).toBe(first);
    expect(nextProblem(all, null, -1)).toBe(third);
    expect(nextProblem(all, { problem: third, index: 2 }, 1)).toBe(first);
    expect(nextProblem(all, { problem: first, index: 0 }, -1)).toBe(third);
  });
  test('passes none over where one was mended', () => {
    expect(nextProblem([second, third], { problem: first, index: 0 }, 1)).toBe(second);
    expect(nextProblem([first, third], { problem: second, index: 1 }, -1)).toBe(first);
    expect(nextProblem([first, second], { problem: third, index: 2 }, 1)).toBe(first);
    expect(nextProblem([], { problem: third, index: 0 }, 1)).toBeUndefined();
  });
});

describe('keys in an editor', () => {
  test('arrows move to the next cell while a value is replaced, and within the text while it is edited', () => {
    expect(editorKey(press('ArrowLeft'), 'typing')).toEqual({ do: 'step', step: 'left' });
    expect(editorKey(press('ArrowLeft'), 'changing')).toBeNull();
  });
  test('Enter, Tab and Escape end it in both', () => {
    for (const mode of ['typing', 'changing'] as const) {
      expect(editorKey(press('Enter'), mode)).toEqual({ do: 'step', step: 'enter' });
      expect(editorKey(press('Tab'), mode)).toEqual({ do: 'step', step: 'next' });
      expect(editorKey(press('Escape'), mode)).toEqual({ do: 'cancel' });
    }
  });
  test('letters, Delete and Home belong to the editor', () => {
    for (const key of ['a', '?', 'Delete', 'Home', 'Alt+Enter']) {
      expect(editorKey(press(key), 'typing')).toBeNull();
    }
  });
});

const extent = { rows: 3, cols: 4 };
const after = (...actions: FocusAction[]) => actions.reduce(focusReducer, INITIAL_FOCUS).focus;
const step = (name: Extract<FocusAction, { do: 'step' }>['step']): FocusAction => ({
  do: 'step',
  step: name,
  extent,
});
const focus = (row: number, col: number): FocusAction => ({
  do: 'focus',
  position: { row, col },
  extent,
});

describe('moving', () => {
  test('Tab continues in the next row after the last column, and back', () => {
    expect(after(focus(0, 4), step('next'))).toEqual({ row: 1, col: 1 });
    expect(after(focus(1, 1), step('previous'))).toEqual({ row: 0, col: 4 });
  });
  test('Enter after Tab returns to the column where Tab began', () => {
    expect(after(focus(0, 2), step('next'), step('next'), step('enter'))).toEqual({
      row: 1,
      col: 2,
    });
    expect(after(focus(0, 2), step('next'), step('down'), step('enter'))).toEqual({
      row: 2,
      col: 3,
    });
  });
  test('arrows reach headers and row headers and stop at the edges', () => {
    expect(after(focus(0, 1), step('up'), step('up'))).toEqual({ row: -1, col: 1 });
    expect(after(focus(0, 1), step('left'), step('left'))).toEqual({ row: 0, col: 0 });
    expect(after(focus(2, 4), step('down'), step('right'))).toEqual({ row: 2, col: 4 });
  });
  test('Tab leaves at both ends, and everywhere after Escape', () => {
    const at = (row: number, col: number) => focusReducer(INITIAL_FOCUS, focus(row, col));
    expect(isTabLeavingGrid(at(2, 4), false, extent)).toBe(true);
    expect(isTabLeavingGrid(at(0, 1), true, extent)).toBe(true);
    expect(isTabLeavingGrid(at(1, 2), false, extent)).toBe(false);
    expect(isTabLeavingGrid(focusReducer(at(1, 2), { do: 'leaving' }), false, extent)).toBe(true);
  });
});
