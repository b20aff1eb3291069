import type { Column } from '#shared/rules/definitions.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Side } from '#web/fields/conflict-panel.tsx';
import type { Fill } from '#web/fields/look-up.ts';
import type { RowKey } from './edit-store/edits.ts';
import type { KeyAction } from './dataset-keys.ts';

/** The actions of the grid for its rows and cells; the same object while the grid is mounted. */
export interface GridActions {
  readonly setText: (text: string) => void;
  readonly endEditByKey: (action: KeyAction, text: string, fills?: readonly Fill[]) => void;
  /** the content of another cell of the row that is edited, in the form of the interface */
  readonly textIn: (column: string) => string | null;
  readonly leaveEditor: (text: string) => void;
  readonly restore: (key: RowKey, column: Column) => void;
  readonly tryAgain: (key: RowKey, column: Column) => void;
  readonly choose: (key: RowKey, column: Column, side: Side) => void;
  /** chooses the meaning of the ambiguous text in the focused cell */
  readonly chooseMeaning: (value: Scalar) => void;
  /** applies a check's suggestion to the cells of a row */
  readonly suggest: (key: RowKey, fills: readonly Fill[]) => void;
  readonly discard: (key: RowKey) => void;
  /** opens a record as a form next to the grid */
  readonly openRecord: (jrid: string) => void;
  /** returns the focus to the focused cell */
  readonly refocus: () => void;
}
