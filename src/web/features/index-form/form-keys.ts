import type { KeyboardEvent } from 'react';
import { CALENDAR_KEY } from '#web/fields/date-editor.tsx';
import { inOpenList } from '#web/fields/open-list.ts';
import { matches, type Shortcut, useShortcut } from '#web/ui/shortcuts.ts';

/** The keys of the form, shown in its hints. */
export const KEYS = {
  save: 'mod+S',
  saveAll: 'mod+shift+S',
  saveAndNext: 'mod+Enter',
  next: 'alt+ArrowDown',
  previous: 'alt+ArrowUp',
  request: 'mod+I',
  undo: 'mod+Z',
  redo: 'mod+Y',
  redoToo: 'mod+shift+Z',
  back: 'Escape',
  ditto: 'mod+D',
  carry: 'mod+shift+D',
  nextOpen: 'F8',
  previousOpen: 'shift+F8',
  restoreField: 'mod+U',
  restoreAll: 'mod+shift+U',
} satisfies Record<string, Shortcut>;

export type FormKey = keyof typeof KEYS;
/** Heard while the cursor is in the form; Escape goes its own way. */
const WITHIN = [
  'save',
  'saveAll',
  'saveAndNext',
  'next',
  'previous',
  'request',
  'ditto',
  'carry',
  'nextOpen',
  'previousOpen',
  'restoreField',
  'restoreAll',
  'undo',
  'redo',
  'redoToo',
] as const satisfies readonly FormKey[];

/** The keys of the form in words, for the sheet of all keys. */
export const FORM_KEY_LIST: readonly { readonly keys: Shortcut; readonly does: string }[] = [
  {
    keys: KEYS.saveAndNext,
    does: 'Save the changes and open the next revision, in the same field',
  },
  { keys: KEYS.save, does: 'Save the changes' },
  { keys: KEYS.saveAll, does: 'Check all fields, changed or not, and save them' },
  { keys: KEYS.next, does: 'Next revision' },
  { keys: KEYS.previous, does: 'Previous revision' },
  { keys: KEYS.nextOpen, does: 'Next field that is empty or wrong' },
  { keys: KEYS.previousOpen, does: 'Field before it that is empty or wrong' },
  { keys: CALENDAR_KEY, does: 'Open the calendar of a date field' },
  { keys: KEYS.ditto, does: 'Copy the value from the revision corrected before' },
  { keys: KEYS.carry, does: 'Carry the value of this field over to the next forms, or stop that' },
  { keys: KEYS.restoreField, does: 'Restore the old value of this field' },
  { keys: KEYS.restoreAll, does: 'Restore the old values of all fields' },
  { keys: KEYS.undo, does: 'Undo the last save, where nothing is typed since' },
  { keys: KEYS.redo, does: 'Redo what was undone last; Z with Shift does so too' },
  { keys: KEYS.request, does: 'Preview request: what saving sends to the service' },
  { keys: KEYS.back, does: 'Back to the list' },
];

/**
 * Hears the form's keys: within the form before its editors do (a list of suggestions would take
 * Alt+↓), elsewhere on the page after everything else.
 */
export function useFormKeys(
  act: (key: FormKey) => void,
  enabled: boolean,
  /** whether the browser has something of its own to undo there */
  typedInto: (target: EventTarget) => boolean = () => false,
) {
  const on = { inFields: true, enabled };
  useShortcut(KEYS.save, () => act('save'), on);
  useShortcut(KEYS.saveAll, () => act('saveAll'), on);
  useShortcut(KEYS.saveAndNext, () => act('saveAndNext'), on);
  useShortcut(KEYS.next, () => act('next'), on);
  useShortcut(KEYS.previous, () => act('previous'), on);
  useShortcut(KEYS.request, () => act('request'), on);
  // A field elsewhere on the page has an undo of its own.
  const outside = { inFields: false, enabled };
  useShortcut(KEYS.undo, () => act('undo'), outside);
  useShortcut(KEYS.redo, () => act('redo'), outside);
  useShortcut(KEYS.redoToo, () => act('redoToo'), outside);
  useShortcut(KEYS.nextOpen, () => act('nextOpen'), on);
  useShortcut(KEYS.previousOpen, () => act('previousOpen'), on);

  return (event: KeyboardEvent) => {
    if (!enabled || event.defaultPrevented || event.nativeEvent.isComposing) return;
    const pressed = WITHIN.find((key) => matches(KEYS[key], event.nativeEvent));
    const back = matches(KEYS.back, event.nativeEvent) && !closesSomething(event.target);
    if (!pressed && !back) return;
    const undoes = pressed === 'undo' || pressed === 'redo' || pressed === 'redoToo';
    if (undoes && typedInto(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    act(pressed ?? 'back');
  };
}

/** Whether Escape first closes a question, a menu or an open list of choices. */
function closesSomething(target: EventTarget): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest('[data-asks], [role="menu"]') !== null || inOpenList(target);
}
