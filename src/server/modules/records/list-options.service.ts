import type { Transaction } from '#server/database/database.ts';
import type { ValueInUse } from '#server/database/records/list-reader.ts';
import { fold } from '#shared/values/fold.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { convertLookupValue } from '#shared/checks/lookup-value.ts';
import type { ValueType } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { OptionsColumn } from './options-column.ts';

const MAX_OPTIONS = 100;

/**
 * The values to choose from for a field: the definition's options, or the values in use, most frequent first, then those
 * that only the table of its options has, at most 100 (docs/interface/decisions.md, section 6).
 * @param index the field's position in the definition
 * @param from null: the field does not take its options from a table, or from one that the user may not see
 * @param q a part that the value must contain, ignoring case and accents; '' for all
 */
export async function listOptions(
  db: Transaction,
  collection: Collection,
  index: number,
  from: OptionsColumn | null,
  q: string,
): Promise<ValueInUse[]> {
  const field = collection.fields[index];
  if (!field) return [];
  const { options } = field;
  const part = options ? '' : q;
  const used = await db.lists.valuesInUse(collection, field, part, options?.length ?? MAX_OPTIONS);
  const counts = new Map(used.map(({ value, count }) => [value, count]));
  const countOf = (value: Scalar) => ({ value, count: counts.get(value) ?? 0 });
  const offered = from ? await offeredValues(db, from, field.type, q) : [];
  const unused = offered.filter((value) => !counts.has(value));
  const all = options?.map(countOf) ?? [...used, ...unused.map(countOf)];
  const wanted = fold(q);
  return all.filter(({ value }) => fold(String(value)).includes(wanted)).slice(0, MAX_OPTIONS);
}

/** The values of a column, as a field that takes its options from it has them. */
async function offeredValues(
  db: Transaction,
  { table, column }: OptionsColumn,
  type: ValueType,
  q: string,
): Promise<Scalar[]> {
  const found = await db.lists.valuesInUse(table, column, q, MAX_OPTIONS);
  return found
    .map(({ value }) => convertLookupValue(value, column.type, type) ?? null)
    .filter((value) => value !== null);
}
