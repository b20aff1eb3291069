import type { Transaction } from '#server/database/database.ts';
import type { CollectionRef, StoredField } from '#server/database/records/columns.ts';
import { findDuplicates } from '#server/database/records/find-duplicates.ts';
import { countKeywords } from '#server/database/records/keyword-values.ts';
import { readValuesAfter, readValuesOf } from '#server/database/records/iterate-values.ts';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import { equalityKey, type Scalar, type ValueType } from '#shared/values/values.ts';
import {
  addToTallies,
  converterOf,
  fieldsToRead,
  findMisfitsAmong,
  MAX_EXAMPLES,
} from './plan-evaluation.ts';
import { NO_TALLY, type ChangeTally } from '../definition-jobs/change-tally.ts';
import type { PlannedChange } from './planned-change.ts';

/** Records per page. */
const EVALUATED_PAGE = 2_000;

/**
 * The effect of a plan's changes on stored values.
 * @param fields of the archive or table before the change, retired ones included
 * @returns one for each change
 */
export async function evaluateChanges(
  db: Transaction,
  collection: CollectionRef,
  fields: readonly StoredField[],
  keywordNumbers: readonly number[],
  changes: readonly PlannedChange[],
): Promise<ChangeTally[]> {
  const read = fieldsToRead(changes, fields);
  let tallies = changes.map(() => NO_TALLY);
  const unique = new UniqueConversions(changes, read);
  if (read.length > 0) {
    for (let after = Number.MIN_SAFE_INTEGER; ;) {
      const records = await readValuesAfter(db, collection, read, { after, limit: EVALUATED_PAGE });
      const last = records.at(-1);
      if (!last) break;
      tallies = addToTallies(changes, read, records, tallies);
      unique.add(records);
      after = last.id;
      await yieldToEventLoop();
    }
  }
  tallies = unique.addTo(tallies);
  return addUniquenessTallies(db, collection, fields, keywordNumbers, changes, tallies);
}

/**
 * The ids of records with a value that violates one of the changes; for values that become unique all records that
 * share one. Converted values that become unique are not compared.
 * @param limit of results
 */
export async function findMisfits(
  db: Transaction,
  collection: CollectionRef,
  fields: readonly StoredField[],
  changes: readonly PlannedChange[],
  limit: number,
): Promise<number[]> {
  const found = new Set<number>();
  for (const change of changes) {
    const columns = uniqueNumbers(change).flatMap((number) =>
      fields.filter((field) => field.number === number),
    );
    if (columns.length === 0) continue;
    const { ids } = await findDuplicates(db, collection, columns, limit);
    for (const id of ids) found.add(id);
  }
  const read = fieldsToRead(changes, fields);
  for (let after = Number.MIN_SAFE_INTEGER; read.length > 0 && found.size < limit;) {
    const records = await readValuesAfter(db, collection, read, { after, limit: EVALUATED_PAGE });
    const last = records.at(-1);
    if (!last) break;
    for (const id of findMisfitsAmong(changes, read, records)) found.add(id);
    after = last.id;
    await yieldToEventLoop();
  }
  return [...found].sort((a, b) => a - b).slice(0, limit);
}

/** The contribution of some records to the evaluation of each change. */
interface EvaluatedPart {
  readonly tallies: readonly ChangeTally[];
  /** the id of the last record; null: there is none */
  readonly last: number | null;
  readonly records: number;
}

interface EvaluatedChanges {
  /** of the archive or table before the change, retired ones included */
  readonly fields: readonly StoredField[];
  readonly changes: readonly PlannedChange[];
}

/** As `evaluateChanges` for some records after an id, and without uniqueness. */
export async function evaluatePart(
  db: Transaction,
  collection: CollectionRef,
  { fields, changes }: EvaluatedChanges,
  known: readonly ChangeTally[],
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<EvaluatedPart> {
  const read = fieldsToRead(changes, fields);
  let [tallies, last, count] = [known, after, 0];
  while (read.length > 0 && count < limit) {
    const records = await readValuesAfter(db, collection, read, {
      after: last,
      limit: EVALUATED_PAGE,
    });
    const end = records.at(-1);
    if (!end) break;
    tallies = addToTallies(changes, read, records, tallies);
    [last, count] = [end.id, count + records.length];
    await yieldToEventLoop();
  }
  return { tallies, last: count === 0 ? null : last, records: count };
}

/** Adds the results of separate statements: duplicates, and the values of keyword fields. */
export async function addUniquenessTallies(
  db: Transaction,
  collection: CollectionRef,
  fields: readonly StoredField[],
  keywordNumbers: readonly number[],
  changes: readonly PlannedChange[],
  tallies: readonly ChangeTally[],
): Promise<ChangeTally[]> {
  const all: ChangeTally[] = [];
  for (const [i, change] of changes.entries()) {
    let found = tallies[i] ?? NO_TALLY;
    const { check, number, touchesValues } = change;
    if (touchesValues && number !== null && keywordNumbers.includes(number)) {
      found = { ...found, affected: await countKeywords(db, collection, number) };
    }
    const numbers = uniqueNumbers(change);
    if (numbers.length > 0) {
      const columns = numbers.flatMap((number) =>
        fields.filter((field) => field.number === number),
      );
      const { compared, count, ids } = await findDuplicates(db, collection, columns, MAX_EXAMPLES);
      const shown = ids.slice(0, MAX_EXAMPLES - found.examples.length);
      const records = await readValuesOf(db, collection, columns, shown);
      const values = new Map(records.map((record) => [record.id, record.values]));
      const examples = shown.map((id) => ({ id, value: valueOf(values.get(id) ?? []) }));
      found = {
        ...found,
        ...(check?.kind === 'uniqueTogether' && { affected: compared }),
        misfits: found.misfits + count,
        examples: [...found.examples, ...examples],
      };
    }
    all.push(found);
  }
  return all;
}

/** The columns whose values become unique, as stored before the change. */
function uniqueNumbers({ check, number }: PlannedChange): readonly number[] {
  if (check?.kind === 'uniqueTogether') return check.numbers;
  return check?.kind === 'rules' && check.isUnique && number !== null ? [number] : [];
}

function valueOf(values: readonly Scalar[]): Scalar {
  return values.length === 1 ? (values[0] ?? null) : values.map(String).join(', ');
}

/** Converted values that must be unique and are not stored anywhere yet. */
class UniqueConversions {
  readonly #columns: {
    readonly change: number;
    readonly convert: (values: readonly Scalar[]) => { readonly value: Scalar };
    readonly type: ValueType;
    readonly ids: Map<Scalar, number[]>;
  }[];

  constructor(changes: readonly PlannedChange[], fields: readonly StoredField[]) {
    this.#columns = changes.flatMap(({ check, number }, change) => {
      if (check?.kind !== 'conversion' || check.to.unique !== true) return [];
      const convert = converterOf(check, number, fields);
      return [{ change, convert, type: check.to.type, ids: new Map<Scalar, number[]>() }];
    });
  }

  add(records: readonly { readonly id: number; readonly values: readonly Scalar[] }[]): void {
    for (const { convert, type, ids } of this.#columns) {
      for (const { id, values } of records) {
        const { value } = convert(values);
        if (value === null) continue;
        const key = equalityKey(type, value);
        const known = ids.get(key);
        if (known) known.push(id);
        else ids.set(key, [id]);
      }
    }
  }

  addTo(tallies: readonly ChangeTally[]): ChangeTally[] {
    return tallies.map((found, i) => {
      const column = this.#columns.find(({ change }) => change === i);
      if (!column) return found;
      const twice = [...column.ids].filter(([, ids]) => ids.length > 1);
      const examples = twice.flatMap(([value, ids]) => ids.map((id) => ({ id, value })));
      return {
        ...found,
        misfits: found.misfits + examples.length,
        examples: [...found.examples, ...examples].slice(0, MAX_EXAMPLES),
      };
    });
  }
}
