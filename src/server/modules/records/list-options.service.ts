import type { Transaction } from '#server/database/database.ts';
import { columnOf } from '#server/database/records/list-column-source.ts';
import type { ValueInUse } from '#server/database/records/list-reader.ts';
import { fold } from '#shared/values/fold.ts';
import type { Collection } from '#server/database/records/collection.ts';

const MAX_OPTIONS = 100;

/**
 * The values to choose from for a field: the definition's options, or the values in use, most frequent first, at most
 * 100 (docs/interface/decisions.md, section 6).
 * @param index the field's position in the definition
 * @param q a part that the value must contain, ignoring case and accents; '' for all
 */
export async function listOptions(
  db: Transaction,
  collection: Collection,
  index: number,
  q: string,
): Promise<ValueInUse[]> {
  const field = collection.fields[index];
  if (!field) return [];
  const { options } = field;
  const part = options ? '' : q;
  const used = await db.lists.valuesInUse(
    collection,
    field,
    columnOf(collection, field),
    part,
    options?.length ?? MAX_OPTIONS,
  );
  const counts = new Map(used.map(({ value, count }) => [value, count]));
  const all = options?.map((value) => ({ value, count: counts.get(value) ?? 0 })) ?? used;
  const wanted = fold(q);
  return all.filter(({ value }) => fold(String(value)).includes(wanted)).slice(0, MAX_OPTIONS);
}
