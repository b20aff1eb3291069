import type { Db } from '#server/db/database.ts';
import { EntryErrors } from '#shared/errors.ts';
import { instantOf, type Scalar } from '#shared/values.ts';
import type { Thing } from '#server/db/records/thing.ts';
import { checkUnique } from '../records/unique.ts';
import { nameOfPlace } from './bad-rows.ts';
import { problemsOf } from './inline-rows.ts';
import type { Row, RowPlace, RowProblem } from './row.ts';

/** A new row with all the values that it will have. */
export interface Completed {
  readonly row: Row;
  readonly values: readonly Scalar[];
}

/** Watches over the unique columns of a load: the first row with a value has it, later ones are bad. */
export class UniqueValues {
  readonly #thing: Thing;
  readonly #isNew: boolean;
  /** by the place of the unique column: which row brought the value */
  readonly #brought: ReadonlyMap<number, Map<Scalar, RowPlace>>;

  constructor(thing: Thing, isNew: boolean) {
    this.#thing = thing;
    this.#isNew = isNew;
    const unique = thing.kind === 'table' ? thing.fields : [];
    this.#brought = new Map(
      unique.flatMap((column, place) => (column.unique ? [[place, new Map()]] : [])),
    );
  }

  /** What is wrong with each row, in the order of the rows. */
  async problems(db: Db, rows: readonly Completed[]): Promise<RowProblem[][]> {
    if (this.#brought.size === 0) return rows.map(() => []);
    const problems: RowProblem[][] = [];
    for (const { values } of rows) problems.push(await this.#taken(db, values));
    for (const [i, { row, values }] of rows.entries()) this.#bring(row, values, problems[i] ?? []);
    return problems;
  }

  async #taken(db: Db, values: readonly Scalar[]): Promise<RowProblem[]> {
    if (this.#isNew) return [];
    const errors = new EntryErrors();
    const places = { whole: '-', field: (name: string) => name, keyword: () => '-' };
    await checkUnique(
      db,
      this.#thing,
      [{ before: null, after: { id: -1, values }, places }],
      errors,
    );
    return problemsOf(errors);
  }

  #bring(row: Row, values: readonly Scalar[], problems: RowProblem[]): void {
    for (const [place, brought] of this.#brought) {
      const field = this.#thing.fields[place];
      const value = values[place] ?? null;
      if (!field || value === null) continue;
      const key = field.type === 'datetime' ? instantOf(String(value)) : value;
      const first = brought.get(key);
      if (first === undefined) {
        if (problems.length === 0) brought.set(key, row.place);
        continue;
      }
      const holder = nameOfPlace({ place: first });
      // A row of this load that is already stored has been found above.
      if (problems.some((problem) => problem.field === field.name)) continue;
      problems.push({
        field: field.name,
        message: `The value is already given in ${holder}; it must be unique.`,
      });
    }
  }
}
