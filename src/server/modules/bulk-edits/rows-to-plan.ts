import type { StoredRecord } from '#server/database/records/record.ts';
import type { ImportMode } from '#shared/contract/imports.ts';
import type { FieldProblem } from '#shared/rules/bulk-edits.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { FieldMessages, RefusedRow } from './planned-rows.store.ts';

/** What identifies the records of rows: their id, the position of a unique column, or nothing. */
export type RowKey = 'id' | number | null;

/** The rows of a plan, and what they do. */
export interface RowsToPlan {
  /** of an imported file, of a paste, or of an earlier plan */
  readonly from: 'file' | 'paste' | 'plan';
  /** of the imported file, also of an earlier plan; null: there is none, or it is not known */
  readonly fileName: string | null;
  readonly mode: ImportMode;
  readonly key: RowKey;
  /** Reads the rows from the first one on. */
  readonly read: () => AsyncIterable<RowToPlan> | Iterable<RowToPlan>;
}

/** A row of an imported file, of a paste, or of an earlier plan. */
export interface RowToPlan {
  /** of the sheet, paste or plan, from 1 */
  readonly line: number;
  /** null: none in the row */
  readonly id: number | null;
  /** whether the cell of the id is filled */
  readonly named: boolean;
  /** the entity tag of the version that the row is for; null: any */
  readonly ifMatch: string | null;
  /** of its values */
  readonly characters: number;
  /** The changes that the row makes to a record with these values and keywords. */
  readonly read: (current: CurrentValues) => RowReading;
  /** Whether a new record takes the row's value of the field at a position of the definition, not the default. */
  readonly gives: (fieldIndex: number) => boolean;
  /**
   * The row as it is stored if it is refused; null: it is not stored, so that nobody corrects it and sends it again.
   * @param messages those of its cells
   */
  readonly refused: (messages: FieldMessages) => RefusedRow | null;
}

/** The present state of a record before a row changes it. */
export type CurrentValues = Pick<StoredRecord, 'values' | 'keywords'>;

export interface RowReading {
  /** the values that differ, by their position in the definition */
  readonly values: ReadonlyMap<number, Scalar>;
  /** the lists of keyword fields that differ, by their position in the definition */
  readonly keywords: ReadonlyMap<number, readonly string[]>;
  /** sentences about values that were corrected */
  readonly notes?: readonly string[];
  readonly problems: readonly RowProblem[];
}

/** An error of a row, in one of its fields or as a whole. */
export type RowProblem = FieldProblem | { readonly field: null; readonly inWords: string };

/** Those that are about fields. */
export function messagesByField(problems: readonly RowProblem[]): FieldMessages {
  const messages = new Map<string, string>();
  for (const problem of problems) {
    if (problem.field === null) continue;
    const { field, message } = problem;
    const earlier = messages.get(field);
    messages.set(field, earlier === undefined ? message : `${earlier} ${message}`);
  }
  return messages;
}
