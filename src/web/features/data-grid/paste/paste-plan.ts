import type { Column } from '#shared/rules/definitions.ts';
import type { Scalar } from '#shared/values/values.ts';
import type { RowKey, Stored } from '../edit-store/edits.ts';
import type { HabitAnswers } from './format-answers.ts';
import type { ClipCell } from './clip.ts';
import * as texts from '#messages/tables.ts';

/** Where a row of the clipboard goes. */
export type Target =
  | { readonly is: 'record'; readonly key: RowKey; readonly stored: Stored }
  /** a row that somebody types and the server has not yet */
  | { readonly is: 'typed'; readonly key: RowKey }
  /** past the last row: it is created */
  | { readonly is: 'fresh' }
  /** was deleted since the list was read */
  | { readonly is: 'gone' };

/** What becomes of a cell. `untouched`: the clipboard has none for it. */
export const MARK = {
  untouched: 0,
  unchanged: 1,
  changed: 2,
  invalid: 3,
  ambiguous: 4,
} as const;

/** What a column's cells leave open. */
export interface Question {
  readonly column: Column;
  readonly about: 'decimal' | 'order';
  /** a cell that can be read in several ways */
  readonly example: string;
}

export interface PlanCounts {
  /** cells of records that get another value */
  changed: number;
  unchanged: number;
  /** cells that cannot be read */
  invalid: number;
  ambiguous: number;
  changedRows: number;
  newRows: number;
  /** new rows without a value that is required */
  incomplete: number;
  gone: number;
}

/** What a paste would do, cell by cell; cells are numbered row by row. */
export interface Plan {
  readonly columns: readonly Column[];
  readonly targets: readonly Target[];
  readonly cells: readonly (readonly ClipCell[])[];
  readonly marks: Uint8Array;
  /** the new values of `changed` cells */
  readonly values: readonly Scalar[];
  readonly messages: ReadonlyMap<number, string>;
  /** per row: the required columns that a new row would lack, null where it lacks none */
  readonly lacking: ReadonlyMap<number, readonly string[]>;
  readonly questions: readonly Question[];
  readonly counts: PlanCounts;
  /** false: some values of unique columns are compared with the table only as they are saved */
  readonly uniqueCompared: boolean;
}

export interface PlanInput {
  /** those pasted into, from the focused one on */
  readonly columns: readonly Column[];
  readonly allColumns: readonly Column[];
  readonly targets: readonly Target[];
  readonly cells: readonly (readonly ClipCell[])[];
  readonly answers: HabitAnswers;
  /** what a cell of a row shows now */
  readonly current: (target: Target, column: Column) => Scalar;
}

/** Why a cell of a plan, by its number, is no value. */
export function objectionTo({ messages }: Plan, at: number): string {
  return messages.get(at) ?? texts.ambiguous;
}

/** Whether a row of a plan does anything. */
export function isTouched({ marks, columns }: Plan, row: number): boolean {
  const from = row * columns.length;
  for (let at = from; at < from + columns.length; at++) {
    if (marks[at] !== MARK.untouched && marks[at] !== MARK.unchanged) return true;
  }
  return false;
}
