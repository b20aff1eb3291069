import type { Column } from '#shared/rules/definitions.ts';
import type { Fill } from '#web/fields/look-up.ts';
import type { KeyAction } from '../dataset-keys.ts';
import type { Editing } from '../editing.ts';

/** What every editor in a cell of a table gets. */
export interface CellEditorProps {
  readonly guid: string;
  readonly column: Column;
  readonly editing: Editing;
  /** the content of another cell of the row, in the form of the interface */
  readonly textAt: (column: string) => string | null;
  readonly onText: (text: string) => void;
  /** ends the editing by a key; `text` is the content of the editor then, `fills` what goes into other cells of the row */
  readonly onKey: (action: KeyAction, text: string, fills?: readonly Fill[]) => void;
  /** the keyboard went elsewhere */
  readonly onLeave: (text: string) => void;
}
