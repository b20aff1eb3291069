import type { Column } from '#shared/rules/definitions.ts';
import type { Scalar } from '#shared/values/values.ts';
import type { Fill } from '#web/fields/look-up.ts';
import type { RowKey } from './edit-store/edits.ts';
import type { KeyAction } from './dataset-keys.ts';

/** What rows and cells can ask of the grid around them; the same object for as long as the grid is there. */
export interface GridActions {
  readonly text: (text: string) => void;
  readonly endByKey: (action: KeyAction, text: string, fills?: readonly Fill[]) => void;
  /** the content of another cell of the row that is edited, in the form of the interface */
  readonly textAt: (column: string) => string | null;
  readonly leaveEditor: (text: string) => void;
  readonly restore: (key: RowKey, column: Column) => void;
  readonly tryAgain: (key: RowKey, column: Column) => void;
  readonly choose: (key: RowKey, column: Column, whose: 'mine' | 'theirs') => void;
  /** says which of the things it can mean was meant by what was typed into the focused cell */
  readonly mean: (value: Scalar) => void;
  /** writes what a check suggests into the cells of a row */
  readonly suggest: (key: RowKey, fills: readonly Fill[]) => void;
  readonly discard: (key: RowKey) => void;
  /** opens a record as a form beside the grid */
  readonly openRecord: (jrid: string) => void;
  /** gives the keyboard back to the focused cell */
  readonly refocus: () => void;
}
