import type { KeyInWords } from './key-sheet.tsx';
import type { Shortcut } from './shortcuts.ts';

/** A key of a scope and its description for the key sheet; null: another key represents it there. */
type KeyBinding = readonly [keys: Shortcut, does: string | null];

/** The shortcuts of a scope by name, from the one map that declares its keys. */
export function shortcutsOf<Name extends string>(
  map: Readonly<Record<Name, KeyBinding>>,
): Readonly<Record<Name, Shortcut>>;
export function shortcutsOf(
  map: Readonly<Record<string, KeyBinding>>,
): Readonly<Record<string, Shortcut>> {
  return Object.fromEntries(Object.entries(map).map(([name, [keys]]) => [name, keys]));
}

/** The lines of the key sheet, in the order of the map. */
export function keySheetOf(map: Readonly<Record<string, KeyBinding>>): readonly KeyInWords[] {
  return Object.values(map).flatMap(([keys, does]) => (does === null ? [] : [{ keys, does }]));
}
