import type { Transaction } from '#server/database/database.ts';
import type { CollectionRef, StoredField } from '#server/database/records/columns.ts';
import { findDuplicates } from '#server/database/records/find-duplicates.ts';
import { countKeywords } from '#server/database/records/keyword-values.ts';
import {
  readValuesAfter,
  readValuesOf,
  type RecordValues,
} from '#server/database/records/iterate-values.ts';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import type { ValueType } from '#shared/values/registry.ts';
import { equalityKey } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import {
  addToTallies,
  converterOf,
  fieldsToRead,
  findMisfitsAmong,
  isConverted,
  MAX_EXAMPLES,
} from './plan-evaluation.ts';
import { NO_TALLY, type ChangeTally } from '../definition-jobs/change-tally.ts';
import type { PlannedChange } from './planned-change.ts';

/** Records per page. */
const PAGE_SIZE = 2_000;

interface ChangesOfFields {
  /** of the archive or table before the change, retired ones included */
  readonly fields: readonly StoredField[];
  readonly changes: readonly PlannedChange[];
}

/** The effect of a plan's changes on stored values. @returns one for each change */
export async function tallyChanges(
  db: Transaction,
  collection: CollectionRef,
  { fields, changes }: ChangesOfFields,
  keywordNumbers: readonly number[],
): Promise<ChangeTally[]> {
  const read = fieldsToRead(changes, fields);
  let tallies = changes.map(() => NO_TALLY);
  const unique = new UniqueConversions(changes, read);
  for await (const records of valuePages(db, collection, read)) {
    tallies = addToTallies(changes, read, records, tallies);
    unique.add(records);
  }
  tallies = unique.addTo(tallies, changes);
  return addUniquenessTallies(db, collection, { fields, changes }, tallies, keywordNumbers);
}

/**
 * The ids of records with a value that violates one of the changes; for values that become unique all records that
 * share one.
 * @param limit of results
 */
export async function findMisfits(
  db: Transaction,
  collection: CollectionRef,
  { fields, changes }: ChangesOfFields,
  limit: number,
): Promise<number[]> {
  const found = new Set<number>();
  for (const change of changes) {
    const columns = uniqueColumns(change, fields);
    if (columns.length === 0) continue;
    const { ids } = await findDuplicates(db, collection, columns, limit);
    for (const id of ids) found.add(id);
  }
  const read = fieldsToRead(changes, fields);
  const unique = new UniqueConversions(changes, read);
  if (found.size < limit) {
    for await (const records of valuePages(db, collection, read)) {
      for (const id of findMisfitsAmong(changes, read, records)) found.add(id);
      unique.add(records);
      if (found.size >= limit) break;
    }
    for (const id of unique.duplicates()) found.add(id);
  }
  return [...found].sort((a, b) => a - b).slice(0, limit);
}

/** The tallies of each change after some further records. */
interface TalliedRecords {
  readonly tallies: readonly ChangeTally[];
  /** the id of the last record; null: there is none */
  readonly last: number | null;
  readonly records: number;
}

/** As `tallyChanges` for some records after an id, and without uniqueness. */
export async function tallyRecordsAfter(
  db: Transaction,
  collection: CollectionRef,
  { fields, changes }: ChangesOfFields,
  known: readonly ChangeTally[],
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<TalliedRecords> {
  const read = fieldsToRead(changes, fields);
  let [tallies, last, count]: [readonly ChangeTally[], number | null, number] = [known, null, 0];
  for await (const records of valuePages(db, collection, read, after)) {
    tallies = addToTallies(changes, read, records, tallies);
    last = records.at(-1)?.id ?? last;
    count += records.length;
    if (count >= limit) break;
  }
  return { tallies, last, records: count };
}

/** The values of the records after an id, in pages; other work of the process runs in between. */
async function* valuePages(
  db: Transaction,
  collection: CollectionRef,
  fields: readonly StoredField[],
  after = Number.MIN_SAFE_INTEGER,
): AsyncGenerator<readonly RecordValues[]> {
  if (fields.length === 0) return;
  for (let last: number | undefined = after; ;) {
    const records = await readValuesAfter(db, collection, fields, {
      after: last,
      limit: PAGE_SIZE,
    });
    last = records.at(-1)?.id;
    if (last === undefined) return;
    yield records;
    await yieldToEventLoop();
  }
}

/** Adds the results of separate statements: duplicates, and the values of keyword fields (`keywordNumbers`). */
export async function addUniquenessTallies(
  db: Transaction,
  collection: CollectionRef,
  { fields, changes }: ChangesOfFields,
  tallies: readonly ChangeTally[],
  keywordNumbers: readonly number[] = [],
): Promise<ChangeTally[]> {
  const all: ChangeTally[] = [];
  for (const [i, change] of changes.entries()) {
    let found = tallies[i] ?? NO_TALLY;
    const { check, number, touchesValues } = change;
    if (touchesValues && number !== null && keywordNumbers.includes(number)) {
      found = { ...found, affected: await countKeywords(db, collection, number) };
    }
    const columns = uniqueColumns(change, fields);
    if (columns.length > 0) {
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

/**
 * The columns whose values become unique.
 * @returns empty if one of them is not stored yet: a new column has no values, and converted ones are `UniqueConversions`
 */
function uniqueColumns(
  { check, number }: PlannedChange,
  fields: readonly StoredField[],
): StoredField[] {
  const single = check?.kind === 'rules' && check.isUnique && number !== null ? [number] : [];
  const numbers = check?.kind === 'uniqueTogether' ? check.numbers : single;
  const columns = numbers.flatMap((wanted) => fields.filter((field) => field.number === wanted));
  return columns.length === numbers.length ? columns : [];
}

function valueOf(values: readonly Scalar[]): Scalar {
  return values.length === 1 ? (values[0] ?? null) : values.map(String).join(', ');
}

type ValueOf = (values: readonly Scalar[]) => Scalar;

interface UniqueValues {
  /** of the changes */
  readonly change: number;
  readonly columns: readonly { readonly valueOf: ValueOf; readonly type: ValueType }[];
  /** the records with a value in each of the columns, by these values */
  readonly records: Map<Scalar, { readonly value: Scalar; readonly ids: number[] }>;
}

/** Converted values that must be unique, alone or together, and are not stored anywhere yet. */
class UniqueConversions {
  readonly #all: UniqueValues[];

  constructor(changes: readonly PlannedChange[], fields: readonly StoredField[]) {
    const converted = new Map(
      changes.flatMap(({ check, number }) => {
        if (check?.kind !== 'conversion' || number === null) return [];
        const convert = converterOf(check, number, fields);
        const valueOf: ValueOf = (values) => convert(values).value;
        return [[number, { valueOf, type: check.to.type }] as const];
      }),
    );
    const columnOf = (number: number | null) => {
      const index = fields.findIndex((field) => field.number === number);
      const [stored, known] = [fields[index], converted.get(number ?? -1)];
      if (known) return [known];
      return stored
        ? [{ type: stored.type, valueOf: (values: readonly Scalar[]) => values[index] ?? null }]
        : [];
    };
    this.#all = changes.flatMap(({ check, number }, change) => {
      if (check?.kind === 'uniqueTogether' && isConverted(check)) {
        return [{ change, columns: check.before.flatMap(columnOf), records: new Map() }];
      }
      if (check?.kind !== 'conversion' || check.to.unique !== true) return [];
      return [{ change, columns: columnOf(number), records: new Map() }];
    });
  }

  add(records: readonly RecordValues[]): void {
    for (const { columns, records: known } of this.#all) {
      for (const { id, values: stored } of records) {
        const values = columns.map(({ valueOf }) => valueOf(stored));
        if (values.includes(null)) continue;
        const keys = columns.map(({ type }, i) => equalityKey(type, values[i] ?? null));
        const key = keys.length === 1 ? (keys[0] ?? null) : JSON.stringify(keys);
        const same = known.get(key);
        if (same) same.ids.push(id);
        else known.set(key, { value: valueOf(values), ids: [id] });
      }
    }
  }

  addTo(tallies: readonly ChangeTally[], changes: readonly PlannedChange[]): ChangeTally[] {
    return tallies.map((found, i) => {
      const unique = this.#all.find(({ change }) => change === i);
      if (!unique) return found;
      const compared = [...unique.records.values()];
      const examples = examplesOf(unique);
      return {
        affected:
          changes[i]?.check?.kind === 'uniqueTogether'
            ? compared.reduce((sum, { ids }) => sum + ids.length, 0)
            : found.affected,
        misfits: found.misfits + examples.length,
        examples: [...found.examples, ...examples].slice(0, MAX_EXAMPLES),
      };
    });
  }

  /** The ids of the records that share their values with others. */
  duplicates(): number[] {
    return this.#all.flatMap((unique) => examplesOf(unique).map(({ id }) => id));
  }
}

function examplesOf({ records }: UniqueValues): ChangeTally['examples'] {
  return [...records.values()].flatMap(({ value, ids }) =>
    ids.length > 1 ? ids.map((id) => ({ id, value })) : [],
  );
}
