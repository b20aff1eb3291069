import * as texts from '#messages/table-keys.ts';
import type { ComponentProps } from 'react';
import { CALENDAR_KEY } from '#web/fields/day-picker.tsx';
import { headingKeySheet } from '#web/grid/key-bindings.ts';
import type { KeyInWords, KeySection } from '#web/ui/key-sheet.tsx';
import { KeySheetDialog } from '#web/ui/key-sheet-dialog.tsx';
import {
  CELL_KEYS,
  EDITOR_KEYS,
  EXIT_KEYS,
  PANEL_KEYS,
  PROBLEM_KEYS,
  SELECTION_KEYS,
} from './dataset-keys.ts';

const GRID_KEYS: readonly KeySection[] = [
  {
    title: texts.moving,
    keys: [
      { keys: 'ArrowDown', does: texts.keys.nextRow },
      { keys: 'Home', does: texts.keys.firstCell },
      { keys: 'PageDown', does: texts.keys.nextPage },
      ...described(EXIT_KEYS.slice(0, 2)),
      ...described(CELL_KEYS.slice(-1)),
    ],
  },
  {
    title: texts.selecting,
    keys: [
      { keys: 'shift+ArrowDown', does: texts.keys.extend },
      ...described(SELECTION_KEYS),
      { keys: 'mod+C', does: texts.keys.copy },
      { keys: 'mod+V', does: texts.keys.paste },
    ],
  },
  {
    title: texts.onHeading,
    keys: headingKeySheet(texts.headingMenu),
  },
  {
    title: texts.editing,
    keys: [
      { keys: 'F2', does: texts.keys.changeOrReplace },
      ...described(EDITOR_KEYS.slice(2, -PROBLEM_KEYS.length)),
      { keys: 'alt+Enter', does: texts.keys.newLine },
      { keys: CALENDAR_KEY, does: texts.keys.calendar },
      ...described(CELL_KEYS.slice(2, -2)),
    ],
  },
  {
    title: texts.asForm,
    keys: [
      ...described(CELL_KEYS.slice(-2, -1)),
      { keys: PANEL_KEYS.next, does: texts.keys.nextRecord },
      { keys: 'Escape', does: texts.keys.backToGrid },
    ],
  },
];

/** The described bindings, each with its first key. */
function described(bindings: typeof CELL_KEYS): readonly KeyInWords[] {
  return bindings.flatMap(({ keys: [first], description }) =>
    first && description ? [{ keys: first, does: texts.keys[description] }] : [],
  );
}

/** The key sheet of the grid. Its texts are loaded with it. */
export function GridKeySheet({ sections, ...props }: ComponentProps<typeof KeySheetDialog>) {
  return <KeySheetDialog {...props} sections={[...GRID_KEYS, ...sections]} />;
}
