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
  becomesUnique,
  converterOf,
  effectOn,
  fieldsToRead,
  isConverted,
  MAX_EXAMPLES,
} from './plan-evaluation.ts';
import { NO_TALLY, type ChangeTally, type Misfit } from '../definition-jobs/change-tally.ts';
import { storedFieldsOf } from '../definitions/definition-state.ts';
import type { DefinitionPlan } from './definition-plan.ts';
import type { PlannedChange } from './planned-change.ts';

/** Records per page. */
const PAGE_SIZE = 2_000;

interface ChangesOfFields {
  /** of the database table, retired ones included */
  readonly fields: readonly StoredField[];
  readonly changes: readonly PlannedChange[];
  /** the numbers of keyword fields */
  readonly keywords?: readonly number[];
  /** of values that are not stored yet */
  readonly converted?: ConvertedDuplicates;
}

type Plan = Pick<DefinitionPlan, 'before' | 'changes'>;

/** The effect of a plan's changes on stored values. @returns one for each change */
export async function tallyChanges(
  db: Transaction,
  collection: CollectionRef,
  { before, changes }: Plan,
): Promise<ChangeTally[]> {
  const fields = storedFieldsOf(before);
  const read = fieldsToRead(changes, fields);
  const converted = new ConvertedDuplicates(changes, read);
  let tallies: readonly ChangeTally[] = [];
  for await (const records of valuePages(db, collection, read)) {
    tallies = addToTallies(changes, read, records, tallies);
    converted.add(records);
  }
  const keywords = before.keywordFields.map(({ number }) => number);
  const found = { fields, changes, keywords, converted };
  return addUniquenessTallies(db, collection, found, tallies);
}

/**
 * The ids of records with a value that violates one of the changes; for values that become unique all records that
 * share one.
 * @param limit of results
 */
export async function findMisfits(
  db: Transaction,
  collection: CollectionRef,
  { before, changes }: Plan,
  limit: number,
): Promise<number[]> {
  const fields = storedFieldsOf(before);
  const found = new Set<number>();
  for (const change of changes) {
    const columns = uniqueColumns(change, fields);
    if (columns.length === 0) continue;
    const { ids } = await findDuplicates(db, collection, columns, limit);
    for (const id of ids) found.add(id);
  }
  const read = fieldsToRead(changes, fields);
  const converted = new ConvertedDuplicates(changes, read);
  const add = (some: readonly Misfit[] = []) => some.forEach(({ id }) => found.add(id));
  if (found.size < limit) {
    for await (const records of valuePages(db, collection, read)) {
      for (const change of changes) add(effectOn(change, read, records).misfits);
      converted.add(records);
      if (found.size >= limit) break;
    }
    for (const change of changes) add(converted.of(change)?.examples);
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

/** As `tallyChanges` for some records after an id, by the fields of `fieldsToRead`, and without uniqueness. */
export async function tallyRecordsAfter(
  db: Transaction,
  collection: CollectionRef,
  { fields, changes }: ChangesOfFields,
  known: readonly ChangeTally[],
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<TalliedRecords> {
  let [tallies, last, count]: [readonly ChangeTally[], number | null, number] = [known, null, 0];
  for await (const records of valuePages(db, collection, fields, after)) {
    tallies = addToTallies(changes, fields, records, tallies);
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

/** Adds what is not found record by record: duplicates, and the number of values of keyword fields. */
export async function addUniquenessTallies(
  db: Transaction,
  collection: CollectionRef,
  { fields, changes, keywords = [], converted }: ChangesOfFields,
  tallies: readonly ChangeTally[],
): Promise<ChangeTally[]> {
  const all: ChangeTally[] = [];
  for (const [i, change] of changes.entries()) {
    const { check, number, touchesValues } = change;
    let { affected, misfits, examples } = tallies[i] ?? NO_TALLY;
    if (touchesValues && number !== null && keywords.includes(number)) {
      affected = await countKeywords(db, collection, number);
    }
    const duplicates =
      converted?.of(change) ??
      (await storedDuplicates(db, collection, uniqueColumns(change, fields)));
    if (duplicates) {
      if (check?.kind === 'uniqueTogether') affected = duplicates.compared;
      misfits += duplicates.count;
      examples = [...examples, ...duplicates.examples].slice(0, MAX_EXAMPLES);
    }
    all.push({ affected, misfits, examples });
  }
  return all;
}

/** @returns null without columns */
async function storedDuplicates(
  db: Transaction,
  collection: CollectionRef,
  columns: readonly StoredField[],
) {
  if (columns.length === 0) return null;
  const { ids, ...counts } = await findDuplicates(db, collection, columns, MAX_EXAMPLES);
  const records = await readValuesOf(db, collection, columns, ids);
  const values = new Map(records.map((record) => [record.id, record.values]));
  return { ...counts, examples: ids.map((id) => ({ id, value: valueOf(values.get(id) ?? []) })) };
}

/**
 * The columns whose values become unique.
 * @returns empty if one of them is not stored yet: a new column has no values, and converted ones are `ConvertedDuplicates`
 */
function uniqueColumns(
  { check, number }: PlannedChange,
  fields: readonly StoredField[],
): StoredField[] {
  const single = check?.kind === 'conversion' ? check.into : number;
  const numbers = check?.kind === 'uniqueTogether' ? check.numbers : [single];
  if (!becomesUnique(check)) return [];
  const columns = numbers.flatMap((wanted) => fields.filter((field) => field.number === wanted));
  return columns.length === numbers.length ? columns : [];
}

function valueOf(values: readonly Scalar[]): Scalar {
  return values.length === 1 ? (values[0] ?? null) : values.map(String).join(', ');
}

interface UniqueColumn {
  readonly valueOf: (values: readonly Scalar[]) => Scalar;
  readonly type: ValueType;
}

interface UniqueValues {
  readonly columns: readonly UniqueColumn[];
  /** the records with a value in each of the columns, by these values */
  readonly records: Map<Scalar, { readonly value: Scalar; readonly ids: number[] }>;
}

/** Converted values that must be unique, alone or together, and are not stored anywhere yet. */
class ConvertedDuplicates {
  readonly #all: ReadonlyMap<PlannedChange, UniqueValues>;

  constructor(changes: readonly PlannedChange[], fields: readonly StoredField[]) {
    const columnOf = (wanted: number | null): UniqueColumn[] => {
      for (const { number, check } of changes) {
        if (number === null || number !== wanted || check?.kind !== 'conversion') continue;
        const convert = converterOf(check, number, fields);
        return [{ type: check.to.type, valueOf: (values) => convert(values).value }];
      }
      const index = fields.findIndex((field) => field.number === wanted);
      const stored = fields[index];
      return stored ? [{ type: stored.type, valueOf: (values) => values[index] ?? null }] : [];
    };
    this.#all = new Map(
      changes.flatMap((change): [PlannedChange, UniqueValues][] => {
        const { check, number } = change;
        if (check?.kind === 'rules' || !becomesUnique(check)) return [];
        if (check?.kind === 'uniqueTogether' && !isConverted(check)) return [];
        const numbers = check?.kind === 'uniqueTogether' ? check.before : [number];
        return [[change, { columns: numbers.flatMap(columnOf), records: new Map() }]];
      }),
    );
  }

  add(records: readonly RecordValues[]): void {
    for (const { columns, records: known } of this.#all.values()) {
      for (const { id, values: stored } of records) {
        const values = columns.map((column) => column.valueOf(stored));
        if (values.includes(null)) continue;
        const keys = columns.map(({ type }, i) => equalityKey(type, values[i] ?? null));
        const key = keys.length === 1 ? (keys[0] ?? null) : JSON.stringify(keys);
        const same = known.get(key);
        if (same) same.ids.push(id);
        else known.set(key, { value: valueOf(values), ids: [id] });
      }
    }
  }

  /** @returns undefined if the change does not make converted values unique */
  of(change: PlannedChange) {
    const unique = this.#all.get(change);
    if (!unique) return undefined;
    const groups = [...unique.records.values()];
    const examples = groups.flatMap(({ value, ids }) =>
      ids.length > 1 ? ids.map((id) => ({ id, value })) : [],
    );
    const compared = groups.reduce((sum, { ids }) => sum + ids.length, 0);
    return { compared, count: examples.length, examples };
  }
}
