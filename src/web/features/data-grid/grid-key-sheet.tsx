import * as texts from '#messages/table-keys.ts';
import type { ComponentProps } from 'react';
import { CALENDAR_KEY } from '#web/fields/day-picker.tsx';
import { headingKeySheet } from '#web/grid/key-bindings.ts';
import type { KeyInWords, KeySection } from '#web/ui/key-sheet.tsx';
import { KeySheetDialog } from '#web/ui/key-sheet-dialog.tsx';
import { CELL_KEYS, EDITOR_KEYS, PANEL_KEYS, SELECTION_KEYS } from './dataset-keys.ts';

const BOUND = [...SELECTION_KEYS, ...EDITOR_KEYS, ...CELL_KEYS];

/** The keys with these descriptions, each the first of its binding. */
function described(...names: readonly texts.GridKeyText[]): readonly KeyInWords[] {
  return names.flatMap((name) => {
    const [keys] = BOUND.find(({ description }) => description === name)?.keys ?? [];
    return keys === undefined ? [] : [{ keys, does: texts.keys[name] }];
  });
}

const GRID_KEYS: readonly KeySection[] = [
  {
    title: texts.moving,
    keys: [
      { keys: 'ArrowDown', does: texts.keys.nextRow },
      { keys: 'Home', does: texts.keys.firstCell },
      { keys: 'PageDown', does: texts.keys.nextPage },
      ...described('nextCell', 'previousCell', 'goToRow'),
    ],
  },
  {
    title: texts.selecting,
    keys: [
      { keys: 'shift+ArrowDown', does: texts.keys.extend },
      ...described('selectColumn', 'selectRow', 'selectAll'),
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
      ...described('fillSelection', 'cancel', 'enter'),
      { keys: 'alt+Enter', does: texts.keys.newLine },
      { keys: CALENDAR_KEY, does: texts.keys.calendar },
      ...described('clear', 'fillDown', 'fillRight', 'now', 'nextProblem', 'previousProblem'),
      ...described('suggestion', 'undo', 'redo', 'deleteRecords'),
    ],
  },
  {
    title: texts.asForm,
    keys: [
      ...described('openAsForm'),
      { keys: PANEL_KEYS.next, does: texts.keys.nextRecord },
      { keys: 'Escape', does: texts.keys.backToGrid },
    ],
  },
];

/** The key sheet of the grid. Its texts are loaded with it. */
export function GridKeySheet({ sections, ...props }: ComponentProps<typeof KeySheetDialog>) {
  return <KeySheetDialog {...props} sections={[...GRID_KEYS, ...sections]} />;
}
