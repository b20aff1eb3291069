import type { Column } from '#shared/rules/definitions.ts';
import type { Fill } from '#web/fields/look-up.ts';
import type { KeyAction } from '../dataset-keys.ts';
import type { Editing } from '../editing.ts';

/** The props of every editor in a cell of a table. */
export interface CellEditorProps {
  readonly guid: string;
  readonly column: Column;
  readonly editing: Editing;
  /** the content of another cell of the row, in the form of the interface */
  readonly textAt: (column: string) => string | null;
  readonly onText: (text: string) => void;
  /** a key ends the editing; `text` is the editor's content, `fills` the values for other cells of the row */
  readonly onKey: (action: KeyAction, text: string, fills?: readonly Fill[]) => void;
  /** the editor has lost the focus */
  readonly onLeave: (text: string) => void;
}
