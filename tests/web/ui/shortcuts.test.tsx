import { describe, expect, it } from 'vitest';
import { keyLabel, matches } from '#web/ui/shortcuts.ts';

const press = (key: string, init: KeyboardEventInit = {}) =>
  new KeyboardEvent('keydown', { key, ...init });

describe('shortcuts', () => {
  it.each([
    ['mod+K', press('k', { ctrlKey: true }), true],
    ['mod+K', press('k', { metaKey: true }), true],
    ['mod+K', press('k'), false],
    ['mod+K', press('K', { ctrlKey: true, shiftKey: true }), false],
    ['mod+Enter', press('Enter', { ctrlKey: true }), true],
    ['alt+ArrowDown', press('ArrowDown', { altKey: true }), true],
    ['ArrowDown', press('ArrowDown', { altKey: true }), false],
    ['?', press('?', { shiftKey: true }), true],
    ['shift+Tab', press('Tab', { shiftKey: true }), true],
    ['Tab', press('Tab', { shiftKey: true }), false],
    ['+', press('+', { shiftKey: true }), true],
    ['+', press('=', { shiftKey: true }), false],
    ['mod++', press('+', { ctrlKey: true }), true],
  ])('%s', (shortcut, event, expected) => {
    expect(matches(shortcut, event)).toBe(expected);
  });

  it('are called as people know them', () => {
    expect(['mod+shift+K', 'alt+ArrowDown', '+', 'mod++'].map(keyLabel)).toEqual([
      'Ctrl Shift K',
      'Alt ↓',
      '+',
      'Ctrl +',
    ]);
  });
});
