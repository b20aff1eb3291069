import type { KeyboardEvent } from 'react';
import { matches, type Shortcut, useShortcut } from '#web/ui/shortcuts.ts';

/** The keys of the form, shown in its hints. */
export const KEYS = {
  save: 'mod+S',
  saveAll: 'mod+shift+S',
  saveAndNext: 'mod+Enter',
  next: 'alt+ArrowDown',
  previous: 'alt+ArrowUp',
  request: 'mod+I',
  back: 'Escape',
} satisfies Record<string, Shortcut>;

export type FormKey = keyof typeof KEYS;
const PAGE_WIDE = ['save', 'saveAll', 'saveAndNext', 'next', 'previous', 'request'] as const;

/**
 * Hears the form's keys: within the form before its editors do (a list of suggestions would take
 * Alt+↓), elsewhere on the page after everything else.
 */
export function useFormKeys(act: (key: FormKey) => void, enabled: boolean) {
  const on = { inFields: true, enabled };
  useShortcut(KEYS.save, () => act('save'), on);
  useShortcut(KEYS.saveAll, () => act('saveAll'), on);
  useShortcut(KEYS.saveAndNext, () => act('saveAndNext'), on);
  useShortcut(KEYS.next, () => act('next'), on);
  useShortcut(KEYS.previous, () => act('previous'), on);
  useShortcut(KEYS.request, () => act('request'), on);

  return (event: KeyboardEvent) => {
    if (!enabled || event.defaultPrevented || event.nativeEvent.isComposing) return;
    const pressed = PAGE_WIDE.find((key) => matches(KEYS[key], event.nativeEvent));
    const back = matches(KEYS.back, event.nativeEvent) && !closesSomething(event.target);
    if (!pressed && !back) return;
    event.preventDefault();
    event.stopPropagation();
    act(pressed ?? 'back');
  };
}

/** Whether Escape first closes an open list of choices. One without choices is open, but nobody sees it. */
function closesSomething(target: EventTarget): boolean {
  if (!(target instanceof Element)) return false;
  if (target.getAttribute('aria-expanded') !== 'true') return false;
  const list = document.getElementById(target.getAttribute('aria-controls') ?? '');
  return list?.querySelector('[role="option"]') != null;
}
