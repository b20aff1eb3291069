import * as texts from '#messages/table-keys.ts';
import type { ComponentProps } from 'react';
import { CALENDAR_KEY } from '#web/fields/day-picker.tsx';
import { headingKeysInWords } from '#web/grid/key-bindings.ts';
import type { KeyInWords, KeySection } from '#web/ui/key-sheet.tsx';
import { KeySheetDialog } from '#web/ui/key-sheet-dialog.tsx';
import { CELL, EDITOR, LEAVES, PANEL_KEYS, PROBLEMS, SELECTS } from './dataset-keys.ts';

const GRID_KEYS: readonly KeySection[] = [
  {
    title: texts.moving,
    keys: [
      { keys: 'ArrowDown', does: texts.keys.nextRow },
      { keys: 'Home', does: texts.keys.firstCell },
      { keys: 'PageDown', does: texts.keys.nextPage },
      ...described(LEAVES.slice(0, 2)),
      ...described(CELL.slice(-1)),
    ],
  },
  {
    title: texts.selecting,
    keys: [
      { keys: 'shift+ArrowDown', does: texts.keys.extend },
      ...described(SELECTS),
      { keys: 'mod+C', does: texts.keys.copy },
      { keys: 'mod+V', does: texts.keys.paste },
    ],
  },
  {
    title: texts.onHeading,
    keys: headingKeysInWords(texts.headingMenu),
  },
  {
    title: texts.editing,
    keys: [
      { keys: 'F2', does: texts.keys.changeOrReplace },
      ...described(EDITOR.slice(2, -PROBLEMS.length)),
      { keys: 'alt+Enter', does: texts.keys.newLine },
      { keys: CALENDAR_KEY, does: texts.keys.calendar },
      ...described(CELL.slice(2, -2)),
    ],
  },
  {
    title: texts.asForm,
    keys: [
      ...described(CELL.slice(-2, -1)),
      { keys: PANEL_KEYS.next, does: texts.keys.nextRecord },
      { keys: 'Escape', does: texts.keys.backToGrid },
    ],
  },
];

/** The described bindings, each with its first key. */
function described(bindings: typeof CELL): readonly KeyInWords[] {
  return bindings.flatMap(({ keys: [first], does }) =>
    first && does ? [{ keys: first, does: texts.keys[does] }] : [],
  );
}

/** The key sheet of the grid. Its texts are loaded with it. */
export function GridKeySheet({ sections, ...props }: ComponentProps<typeof KeySheetDialog>) {
  return <KeySheetDialog {...props} sections={[...GRID_KEYS, ...sections]} />;
}
