import type { Column } from '#shared/rules/definitions.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { RowKey, ServerRecord } from '../edit-store/edits.ts';
import type { FormatAnswers } from './format-answers.ts';
import type { ClipCell } from './clip.ts';
import * as texts from '#messages/tables.ts';

/** The target of a clipboard row. */
export type Target =
  | { readonly is: 'record'; readonly key: RowKey; readonly stored: ServerRecord }
  /** an unsaved new row of the grid */
  | { readonly is: 'unsaved'; readonly key: RowKey }
  /** after the last row: a record is created */
  | { readonly is: 'new' }
  /** a row that was deleted since the list was loaded */
  | { readonly is: 'deleted' };

/** The outcome of a cell. `untouched`: the clipboard has no cell for it. */
export const OUTCOME = {
  untouched: 0,
  unchanged: 1,
  changed: 2,
  invalid: 3,
  ambiguous: 4,
} as const;

/** An ambiguity in a column's cells. */
export interface FormatQuestion {
  readonly column: Column;
  readonly about: 'decimal' | 'order';
  /** an ambiguous cell */
  readonly example: string;
}

export interface PlanCounts {
  /** cells of records that get another value */
  changed: number;
  unchanged: number;
  /** invalid cells */
  invalid: number;
  ambiguous: number;
  changedRows: number;
  newRows: number;
  /** new rows without a required value */
  incomplete: number;
  gone: number;
}

/** The effect of a paste, cell by cell; cells are numbered row by row. */
export interface Plan {
  readonly columns: readonly Column[];
  readonly targets: readonly Target[];
  readonly cells: readonly (readonly ClipCell[])[];
  readonly outcomes: Uint8Array;
  /** the new values of `changed` cells */
  readonly values: readonly Scalar[];
  readonly messages: ReadonlyMap<number, string>;
  /** per row: the required columns that a new row would lack; null if it lacks none */
  readonly missing: ReadonlyMap<number, readonly string[]>;
  readonly questions: readonly FormatQuestion[];
  readonly counts: PlanCounts;
  /** false: some values of unique columns are compared with the table only when they are saved */
  readonly uniqueCompared: boolean;
}

export interface PlanInput {
  /** the target columns, from the focused one on */
  readonly columns: readonly Column[];
  readonly allColumns: readonly Column[];
  readonly targets: readonly Target[];
  readonly cells: readonly (readonly ClipCell[])[];
  readonly answers: FormatAnswers;
  /** the present value of a row's cell */
  readonly currentValue: (target: Target, column: Column) => Scalar;
}

/** Why a cell of a plan, by its number, is invalid. */
export function messageOf({ messages }: Plan, at: number): string {
  return messages.get(at) ?? texts.ambiguous;
}

/** Whether a row of a plan has any effect. */
export function changesRow({ outcomes, columns }: Plan, row: number): boolean {
  const from = row * columns.length;
  for (let at = from; at < from + columns.length; at++) {
    if (outcomes[at] !== OUTCOME.untouched && outcomes[at] !== OUTCOME.unchanged) return true;
  }
  return false;
}
