import { describe, expect, test } from 'vitest';
import { type FocusAction, focusReducer, INITIAL_FOCUS } from '#web/grid/grid-focus.ts';
import type { CellPosition } from '#web/grid/rects.ts';

const extent = { rows: 40, cols: 14 };
const after = (...actions: readonly FocusAction[]) => actions.reduce(focusReducer, INITIAL_FOCUS);
const at = (row: number, col: number): CellPosition => ({ row, col });
const focus: FocusAction = { do: 'focus', position: at(3, 2), extent };
const wholeRow: FocusAction = { do: 'block', anchor: at(3, 1), head: at(3, 14), extent };

describe('what is brought into sight', () => {
  test('is the cell that one goes to, and the corner that is moved', () => {
    expect(after(focus).scrollTarget).toEqual(at(3, 2));
    expect(after(focus, { do: 'extend', to: at(4, 2), extent }).scrollTarget).toEqual({
      row: 4,
      col: null,
    });
    expect(after(focus, { do: 'extend', to: at(39, 14), extent }).scrollTarget).toEqual(at(39, 14));
  });

  test('is not the far end of a row that is selected, nor of rows added to it', () => {
    const before = after(focus);
    const selected = focusReducer(before, wholeRow);
    expect(selected.scrollTarget).toBe(before.scrollTarget);
    const extended = focusReducer(selected, { do: 'extend', to: at(4, 14), extent });
    expect(extended.scrollTarget).toEqual({ row: 4, col: null });
  });
});
