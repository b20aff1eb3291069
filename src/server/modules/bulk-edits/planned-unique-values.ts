import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import { equalityKey } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import * as rowTexts from '#messages/service/import-rows.ts';
import { problemInWords } from '#shared/rules/bulk-edits.ts';
import { findRecordsWithValues } from '../records/unique-columns.ts';
import { isWritten } from './checked-rows.ts';
import type { PlannedRow } from './planned-rows.store.ts';
import type { RowTexts } from './row-texts.ts';
import type { RowToPlan } from './rows-to-plan.ts';

/** A planned row with its record. */
export interface PlannedLine {
  readonly plan: PlannedRow;
  readonly row: RowToPlan;
  readonly record: StoredRecord | undefined;
}

/** Records with the values of rows, by the position of a unique column and `equalityKey`. */
export type Holders = ReadonlyMap<number, ReadonlyMap<Scalar, number>>;

/** A unique column, and what earlier rows do with its values. */
interface UniqueColumn {
  /** its position */
  readonly fieldIndex: number;
  readonly column: Field;
  /** the values that they give, with their lines */
  readonly given: Map<Scalar, number>;
  /** records whose values they free */
  readonly freed: Set<number>;
}

/** Refuses rows of a plan that give a unique column a value which another record or an earlier row has. */
export class PlannedUniqueValues {
  readonly #collection: Collection;
  readonly #texts: RowTexts;
  readonly #columns: readonly UniqueColumn[];

  constructor(collection: Collection, texts: RowTexts) {
    this.#collection = collection;
    this.#texts = texts;
    this.#columns = collection.fields.flatMap((column, fieldIndex): UniqueColumn[] =>
      column.unique ? [{ fieldIndex, column, given: new Map(), freed: new Set() }] : [],
    );
  }

  /** The records with the values that rows give to unique columns. */
  async findHolders(db: Transaction, rows: readonly PlannedLine[]): Promise<Holders> {
    const holders = new Map<number, ReadonlyMap<Scalar, number>>();
    for (const { fieldIndex, column } of this.#columns) {
      const given = rows.flatMap(({ plan }) => givenValue(plan, column) ?? []);
      holders.set(fieldIndex, await findRecordsWithValues(db, this.#collection, fieldIndex, given));
    }
    return holders;
  }

  /** The rows, of which those become `invalid` whose values another record or row has. */
  refuseTaken(rows: readonly PlannedLine[], holders: Holders): PlannedLine[] {
    let planned = [...rows];
    for (const { fieldIndex, column, ...before } of this.#columns) {
      const given = new Map<Scalar, number>();
      const freed = new Set<number>();
      const takenBy = (value: Scalar, rowId: number): string | null => {
        const earlier = given.get(value) ?? before.given.get(value);
        if (earlier !== undefined) return this.#texts.takenByRow(earlier);
        const holder = holders.get(fieldIndex)?.get(value);
        if (holder === undefined || holder === rowId) return null;
        return freed.has(holder) || before.freed.has(holder)
          ? null
          : rowTexts.takenByRecord(holder);
      };
      planned = planned.map((one) => {
        const { plan, row } = one;
        const value = givenValue(plan, column);
        if (value !== null) {
          const same = equalityKey(column.type, value);
          const taken = takenBy(same, plan.rowId);
          if (taken !== null) {
            const problem = problemInWords(column, value, taken);
            const message = this.#texts.problem(row.line, problem);
            const fieldMessages = new Map([[column.name, taken]]);
            return { ...one, plan: { ...plan, outcome: 'invalid', message, fieldMessages } };
          }
          given.set(same, row.line);
        }
        if (frees(one, column)) freed.add(plan.rowId);
        return one;
      });
    }
    return planned;
  }

  /** Keeps the values of rows that were planned, against which later rows are tested. */
  remember(lines: readonly PlannedLine[]): void {
    for (const { column, given, freed } of this.#columns) {
      for (const one of lines) {
        const value = givenValue(one.plan, column);
        if (value !== null) given.set(equalityKey(column.type, value), one.row.line);
        if (frees(one, column)) freed.add(one.plan.rowId);
      }
    }
  }
}

type Field = Collection['fields'][number];

/** The value that a planned row gives to a column; null: none. */
function givenValue(plan: PlannedRow, { name }: Field): Scalar {
  return isWritten(plan)
    ? (plan.changes.find((change) => change.name === name)?.after ?? null)
    : null;
}

/** Whether a planned row takes its value of a column from a record. */
function frees({ plan, record }: PlannedLine, { name }: Field): boolean {
  const isChanged =
    plan.outcome === 'changed' && plan.changes.some((change) => change.name === name);
  return record !== undefined && isChanged;
}
