import type { Column } from '#shared/rules/definitions.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { CellPosition } from '#web/grid/rects.ts';
import type { RowKey, ServerRecord } from './edit-store/edits.ts';

/**
 * How an editor was opened: by typing (arrow keys then end it and move to another cell) or to change the value
 * (arrow keys then move within the text).
 */
export type EditorMode = 'typing' | 'changing';

/** The open editor of a cell. */
export interface Editing {
  readonly position: CellPosition;
  readonly key: RowKey;
  /** the record as listed when the editor was opened; null in a new row */
  readonly listed: ServerRecord | null;
  /** the cell's value at that time */
  readonly initialValue: Scalar;
  readonly column: string;
  /** the definition of the column at that time */
  readonly rules: Column;
  readonly mode: EditorMode;
  /** the text with which the editor was opened */
  readonly initial: string;
  readonly text: string;
}
