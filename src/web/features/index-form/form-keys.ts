import { form as texts } from '#messages/keys.ts';
import type { KeyboardEvent } from 'react';
import { CALENDAR_KEY } from '#web/fields/day-picker.tsx';
import { SUGGESTION_KEY } from '#web/findings/finding.ts';
import { keySheetOf, shortcutsOf } from '#web/ui/key-map.ts';
import { escapeClosesPopup } from '#web/ui/popups.ts';
import { matches, useShortcut } from '#web/ui/shortcuts.ts';
import { UNDO_KEYS } from '#web/undo/undo-keys.ts';

const KEY_MAP = {
  saveAndNext: ['mod+Enter', texts.saveAndNext],
  save: ['mod+S', texts.save],
  saveAll: ['mod+shift+S', texts.saveAll],
  next: ['alt+ArrowDown', texts.next],
  previous: ['alt+ArrowUp', texts.previous],
  nextOpen: ['F8', texts.nextOpen],
  previousOpen: ['shift+F8', texts.previousOpen],
  suggestion: [SUGGESTION_KEY, texts.suggestion],
  calendar: [CALENDAR_KEY, texts.calendar],
  copyPrevious: ['mod+D', texts.ditto],
  carryOver: ['mod+shift+D', texts.carry],
  restoreField: ['mod+U', texts.restoreField],
  restoreAll: ['mod+shift+U', texts.restoreAll],
  undo: [UNDO_KEYS.undo, texts.undo],
  redo: [UNDO_KEYS.redo, texts.redo],
  redoAlternative: [UNDO_KEYS.redoAlternative, null],
  request: ['mod+I', texts.request],
  back: ['Escape', texts.back],
} as const;

/** The keys of the form, shown in its hints. */
export const KEYS = shortcutsOf(KEY_MAP);
export const FORM_KEY_LIST = keySheetOf(KEY_MAP);

/** The date editor handles the calendar key itself. */
export type FormKey = Exclude<keyof typeof KEYS, 'calendar'>;
/** Handled while the form has the focus; Escape is handled separately. */
const KEYS_IN_FORM = [
  'save',
  'saveAll',
  'saveAndNext',
  'next',
  'previous',
  'request',
  'copyPrevious',
  'carryOver',
  'nextOpen',
  'previousOpen',
  'suggestion',
  'restoreField',
  'restoreAll',
  'undo',
  'redo',
  'redoAlternative',
] as const satisfies readonly FormKey[];

/**
 * Handles the form's keys: inside the form before its editors (a list of suggestions would handle Alt+↓), elsewhere on
 * the page after everything else.
 */
export function useFormKeys(
  act: (key: FormKey) => void,
  enabled: boolean,
  /** whether the browser has its own undo there */
  hasNativeUndo: (target: EventTarget) => boolean = () => false,
) {
  const on = { inFields: true, enabled };
  useShortcut(KEYS.save, () => act('save'), on);
  useShortcut(KEYS.saveAll, () => act('saveAll'), on);
  useShortcut(KEYS.saveAndNext, () => act('saveAndNext'), on);
  useShortcut(KEYS.next, () => act('next'), on);
  useShortcut(KEYS.previous, () => act('previous'), on);
  useShortcut(KEYS.request, () => act('request'), on);
  // A field elsewhere on the page has its own undo.
  const outside = { inFields: false, enabled };
  useShortcut(KEYS.undo, () => act('undo'), outside);
  useShortcut(KEYS.redo, () => act('redo'), outside);
  useShortcut(KEYS.redoAlternative, () => act('redoAlternative'), outside);
  useShortcut(KEYS.nextOpen, () => act('nextOpen'), on);
  useShortcut(KEYS.previousOpen, () => act('previousOpen'), on);
  useShortcut(KEYS.suggestion, () => act('suggestion'), on);

  return (event: KeyboardEvent) => {
    if (!enabled || event.defaultPrevented || event.nativeEvent.isComposing) return;
    const pressed = KEYS_IN_FORM.find((key) => matches(KEYS[key], event.nativeEvent));
    const back = matches(KEYS.back, event.nativeEvent) && !escapeClosesPopup(event.target);
    if (!pressed && !back) return;
    const undoes = pressed === 'undo' || pressed === 'redo' || pressed === 'redoAlternative';
    if (undoes && hasNativeUndo(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    act(pressed ?? 'back');
  };
}
