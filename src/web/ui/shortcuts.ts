import { type RefObject, useEffect, useEffectEvent } from 'react';
import { useIsSeenAs } from '#web/api/session.queries.ts';
import { escapeClosesPopup } from './popups.ts';

/**
 * A key combination: modifiers `mod` (Ctrl, ⌘ on a Mac), `alt`, `shift` and a key as in `KeyboardEvent.key`, joined by
 * `+`: `mod+K`, `alt+ArrowDown`, `mod+Enter`, `F2`, `/`.
 */
export type Shortcut = string;

interface ShortcutOptions {
  /** whether it also applies while the user types in a field; by default only with `mod` or `alt` */
  readonly inFields?: boolean;
  readonly enabled?: boolean;
  /** whether its action writes: it does nothing while an administrator sees as another user */
  readonly writes?: boolean;
  /** handled before the focused element, which then does not receive it */
  readonly first?: boolean;
  /** an element of the dialog that the shortcut belongs to; without it, it belongs to the page */
  readonly within?: RefObject<HTMLElement | null>;
}

/**
 * Handles a key on the whole page while the component is mounted; a handler that returns false lets the event continue.
 * While a dialog is open, only the shortcuts of the topmost one apply; hidden or inert elements receive none. Escape in
 * a menu or list of choices closes only that. A held key acts once (`key-repeat.ts`).
 */
export function useShortcut(
  shortcut: Shortcut,
  handler: (event: KeyboardEvent) => boolean | void,
  { inFields, enabled = true, writes = false, first = false, within }: ShortcutOptions = {},
): void {
  const isBlocked = useIsSeenAs() && writes;
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || !matches(shortcut, event)) return;
    const allowed = inFields ?? /\b(?:mod|alt)\+/.test(shortcut);
    if (!allowed && isField(event.target)) return;
    if (event.key === 'Escape' && escapeClosesPopup(event.target)) return;
    const element = within?.current ?? null;
    if (!inFront(element) || element?.closest('[hidden], [inert]')) return;
    if (handler(event) === false) return;
    event.preventDefault();
    if (first) event.stopPropagation();
  });
  useEffect(() => {
    if (!enabled || isBlocked) return undefined;
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listener, { capture: first });
    return () => document.removeEventListener('keydown', listener, { capture: first });
  }, [enabled, isBlocked, first]);
}

/** Whether no dialog covers an element; null: the page. A later dialog is above earlier ones. */
function inFront(element: HTMLElement | null): boolean {
  const dialogs = document.querySelectorAll('[role="dialog"][aria-modal="true"]');
  return [...dialogs].at(-1)?.contains(element) ?? true;
}

/** A trailing plus is the key itself. */
function partsOf(shortcut: Shortcut): string[] {
  return shortcut.split(/\+(?!$)/);
}

export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Whether a key is pressed alone, or with Shift. */
export function isUnmodified({ ctrlKey, metaKey, altKey }: KeyPress): boolean {
  // With Ctrl and Alt together some keyboards type characters, such as @.
  return !metaKey && ctrlKey === altKey;
}

/** Whether a key types a character. */
export function typesCharacter(event: KeyPress): boolean {
  return /^.$/u.test(event.key) && isUnmodified(event);
}

/** Whether a key event matches the combination, for handlers on one element. */
export function matches(shortcut: Shortcut, event: KeyPress): boolean {
  const parts = partsOf(shortcut);
  const key = parts.pop() ?? '';
  const hasModifier = (modifier: string) => parts.includes(modifier);
  if (event.key.toLowerCase() !== key.toLowerCase()) return false;
  if (
    hasModifier('mod') !== (event.ctrlKey || event.metaKey) ||
    hasModifier('alt') !== event.altKey
  ) {
    return false;
  }
  // Characters such as `?` are themselves typed with Shift on some keyboards.
  return hasModifier('shift') === event.shiftKey || (key.length === 1 && !/[a-z0-9 ]/i.test(key));
}

const NAMES: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
  Escape: 'Esc',
  ' ': 'Space',
  alt: 'Alt',
  shift: 'Shift',
};

/** A combination as users know it: `Ctrl K`. */
export function keyLabel(shortcut: Shortcut): string {
  const mac = /Mac|iP(?:hone|ad)/.test(navigator.userAgent);
  return partsOf(shortcut)
    .map((part) => (part === 'mod' ? (mac ? '⌘' : 'Ctrl') : (NAMES[part] ?? part)))
    .join(' ');
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select'))
  );
}
