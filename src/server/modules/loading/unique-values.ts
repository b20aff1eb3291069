import * as texts from '#messages/service/loading.ts';
import * as recordTexts from '#messages/service/records.ts';
import type { Transaction } from '#server/database/database.ts';
import { equalityKey } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { TemporaryKeyMap } from '#server/database/temporary-key-map.ts';
import {
  findRecordsWithCombination,
  findRecordsWithValues,
  uniqueGroups,
  uniqueKey,
} from '../records/unique-columns.ts';
import { describePosition } from './bad-rows.ts';
import { shortDigest } from './existing-rows.ts';
import type { LoadedRow, RowPosition, RowProblem } from './loaded-row.ts';

/** A new row with all its values, defaults included. */
export interface Completed {
  readonly row: LoadedRow;
  readonly values: readonly Scalar[];
  /** other problems: a bad row gets no values */
  readonly problems: readonly RowProblem[];
}

/** Columns whose values are unique: one, or several together. */
type Group = readonly number[];

/** A unique value of a row: the values of a group. */
interface Claim {
  /** the column; null: several together */
  readonly name: string | null;
  readonly columns: string;
  readonly key: string;
}

/** Checks the unique columns of a load, alone and together: the first row with a value gets it, later ones are bad. */
export class UniqueValues {
  readonly #collection: Collection;
  readonly #isNew: boolean;
  /** the positions of the columns whose values are unique, alone or together */
  readonly #groups: readonly Group[];
  /** by column and value: the row that has it */
  readonly #claimed = new TemporaryKeyMap<string>('load_values', 'text');

  constructor(collection: Collection, isNew: boolean) {
    this.#collection = collection;
    this.#isNew = isNew;
    this.#groups = uniqueGroups(collection);
  }

  /** The errors of each row, in the order of the rows. */
  async problems(db: Transaction, rows: readonly Completed[]): Promise<RowProblem[][]> {
    if (this.#groups.length === 0) return rows.map(() => []);
    const problems = this.#isNew ? rows.map(() => []) : await this.#storedDuplicates(db, rows);
    const keys = rows.map(({ values }) => this.#keysOf(values));
    const before = await this.#claimed.read(
      db,
      keys.flatMap((row) => row.map(({ key }) => key)),
    );
    const fresh = new Map<string, RowPosition>();
    for (const [i, row] of rows.entries()) {
      this.#claim(row, keys[i] ?? [], problems[i] ?? [], before, fresh);
    }
    await this.#claimed.add(db, fresh);
    return problems;
  }

  /** Removes the temporary table. */
  async end(db: Transaction): Promise<void> {
    await this.#claimed.drop(db);
  }

  /** The rows with a value of a stored record; one query per column. */
  async #storedDuplicates(db: Transaction, rows: readonly Completed[]): Promise<RowProblem[][]> {
    const problems: RowProblem[][] = rows.map(() => []);
    for (const [index = -1, ...others] of this.#groups) {
      const field = this.#collection.fields[index];
      if (!field || others.length > 0) continue;
      const values = rows.flatMap((row) => row.values[index] ?? []);
      const holders = await findRecordsWithValues(db, this.#collection, index, values);
      for (const [i, row] of rows.entries()) {
        const holder = holders.get(equalityKey(field.type, row.values[index] ?? null));
        if (holder === undefined) continue;
        problems[i]?.push({
          field: field.name,
          message: recordTexts.valueTaken({ record: holder }).message,
        });
      }
    }
    for (const group of this.#groups.filter(({ length }) => length > 1)) {
      for (const [i, { values }] of rows.entries()) {
        const wanted = group.map((index) => values[index] ?? null);
        if (wanted.includes(null)) continue;
        const [holder] = await findRecordsWithCombination(db, this.#collection, group, wanted);
        if (holder === undefined) continue;
        const columns = this.#columnsOf(group);
        const message = recordTexts.valuesTakenTogether({ columns, record: holder }).message;
        problems[i]?.push({ field: null, message });
      }
    }
    return problems;
  }

  #columnsOf(group: Group): string {
    return group.flatMap((index) => this.#collection.fields[index]?.name ?? []).join(', ');
  }

  /** What the values of a row claim. */
  #keysOf(values: readonly Scalar[]): Claim[] {
    return this.#groups.flatMap((group): Claim[] => {
      const compared = uniqueKey(this.#collection, group, values);
      if (compared === null) return [];
      const columns = this.#columnsOf(group);
      const key = `${group.join(',')} ${shortDigest(String(compared))}`;
      return [{ name: group.length === 1 ? columns : null, columns, key }];
    });
  }

  #claim(
    { row, problems: others }: Completed,
    keys: readonly Claim[],
    problems: RowProblem[],
    before: ReadonlyMap<string, RowPosition>,
    fresh: Map<string, RowPosition>,
  ): void {
    for (const { name, columns, key } of keys) {
      const first = before.get(key) ?? fresh.get(key);
      // A stored row of this load was found above.
      if (first === undefined || problems.some((problem) => problem.field === name)) continue;
      const holder = describePosition({ position: first });
      problems.push({
        field: name,
        message: name === null ? texts.valuesTaken({ columns, holder }) : texts.valueTaken(holder),
      });
    }
    if (problems.length + others.length > 0) return;
    for (const { key } of keys) fresh.set(key, row.position);
  }
}
