import type { StoredRecord } from '#server/database/records/record.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { sameList } from '../history/history.service.ts';
import type { GivenValues } from './sent-record.ts';

/** The values of a view by the positions of the fields in the full collection. */
export function toFullCollection({ restriction }: Collection, given: GivenValues): GivenValues {
  if (!restriction?.hidesFields) return given;
  const { fieldIndexes, keywordFieldIndexes } = restriction;
  const at = (all: readonly number[], index: number) => all[index] ?? -1;
  return {
    values: new Map([...given.values].map(([index, value]) => [at(fieldIndexes, index), value])),
    keywords: new Map(
      [...given.keywords].map(([index, list]) => [at(keywordFieldIndexes, index), list]),
    ),
  };
}

/** The record with the given values; the same object if nothing differs. */
export function applyValues(
  before: StoredRecord,
  given: GivenValues,
  at: number,
  by: string,
): StoredRecord {
  const keywordsDiffer = [...given.keywords].some(
    ([index, list]) => !sameList(before.keywords[index] ?? [], list),
  );
  const differs =
    keywordsDiffer || [...given.values].some(([index, value]) => before.values[index] !== value);
  if (!differs) return before;
  return {
    ...before,
    version: before.version + 1,
    changedAt: at,
    changedBy: by,
    values: replaceItems(before.values, given.values),
    keywords: keywordsDiffer ? replaceItems(before.keywords, given.keywords) : before.keywords,
  };
}

/** A list with the given items instead of those at their positions. */
export function replaceItems<Item>(
  items: readonly Item[],
  given: ReadonlyMap<number, Item>,
): Item[] {
  return items.map((item, index) => {
    const other = given.get(index);
    return other === undefined ? item : other;
  });
}
