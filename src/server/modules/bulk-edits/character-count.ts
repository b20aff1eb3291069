import type { StoredRecord } from '#server/database/records/record.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { PlannedRow } from './planned-rows.store.ts';

/** The characters of a planned row. */
export function characterCount({ changes, keywordChanges, refused, message }: PlannedRow): number {
  return (
    lengthOf(message) +
    sum(changes, ({ before, after }) => lengthOf(before) + lengthOf(after)) +
    sum(keywordChanges, ({ before, after }) => sum([...before, ...after], lengthOf)) +
    sum(
      refused?.cells ?? [],
      ({ header, text, message = '' }) => header.length + text.length + message.length,
    )
  );
}

/** The characters of the values of records. */
export function charactersOf(records: Iterable<Pick<StoredRecord, 'values'>>): number {
  return sum(records, ({ values }) => sum(values, lengthOf));
}

function lengthOf(value: Scalar): number {
  return typeof value === 'string' ? value.length : 0;
}

function sum<Item>(items: Iterable<Item>, of: (item: Item) => number): number {
  let whole = 0;
  for (const item of items) whole += of(item);
  return whole;
}
