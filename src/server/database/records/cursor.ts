import { isoTime } from '#server/lib/iso-time.ts';
import { hash } from 'node:crypto';
import * as z from 'zod';
import type { ListQuery } from '#shared/rules/lists.ts';
import { type ValueType, valueType } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Transaction } from '../database.ts';
import type { Collection } from './collection.ts';
import type { ColumnValue } from './columns.ts';
import { readRecord } from './read-records.ts';
import type { StoredRecord } from './record.ts';
import { isLongKey } from './sort-key.ts';
import type { Order } from './sorting.ts';

/** A position in a list: that of a record, by its values in the sort terms. */
export interface Cursor {
  /** one for each sort term */
  readonly sortValues: readonly ColumnValue[];
  readonly id: number;
}

/** Where a page of a list starts. */
export type Start = { readonly offset: number } | { readonly after: Cursor };

const cursorSchema = z.tuple([
  z.string(),
  z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
  z.int(),
]);

/** Encodes a position for `after`, bound to the filter and the sort it was created for. */
export function writeCursor(query: ListQuery, cursor: Cursor): string {
  const sortValues = cursor.sortValues.map((sortValue, i) => {
    const column = query.sort[i]?.column;
    // SQLite has no booleans; positions are the same on both databases.
    const isBoolean = column !== undefined && valueType(column.type).column === 'boolean';
    return sortValue !== null && isBoolean ? Boolean(sortValue) : sortValue;
  });
  return Buffer.from(JSON.stringify([fingerprint(query), sortValues, cursor.id])).toString(
    'base64url',
  );
}

/** Decodes a position; undefined if it is invalid, or was created for another sort or filter. */
export function readCursor(
  { adapter }: Pick<Transaction, 'adapter'>,
  query: ListQuery,
  text: string,
): Cursor | undefined {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
  const parsed = cursorSchema.safeParse(json);
  if (!parsed.success || parsed.data[0] !== fingerprint(query)) return undefined;
  const [, sortValues, id] = parsed.data;
  // A client can write its own position; the database would reject a value of another type.
  if (sortValues.length !== query.sort.length) return undefined;
  if (!sortValues.every((sortValue, i) => isSortValue(query.sort[i]?.column.type, sortValue)))
    return undefined;
  return { sortValues: sortValues.map((sortValue) => adapter.toStored(sortValue)), id };
}

function isSortValue(type: ValueType | undefined, sortValue: Scalar): boolean {
  if (sortValue === null || type === undefined) return sortValue === null;
  const { comparison, isStored } = valueType(type);
  return comparison.by === 'number' ? Number.isSafeInteger(sortValue) : isStored(sortValue);
}

/** The order of the conditions does not matter: all of them have to be met. */
function fingerprint({ where, q, sort }: ListQuery): string {
  const conditions = where.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return hash('sha256', JSON.stringify([conditions, q, sort]), 'base64url').slice(0, 12);
}

/** The cursor of a record, with one value per sort key, as in `next`. */
export function cursorOf(
  collection: Collection,
  orders: readonly Order[],
  record: StoredRecord,
): Cursor {
  return {
    id: record.id,
    sortValues: orders.map(
      ({ key, terms }) =>
        terms[0]?.sortValueOf(valueOf(collection, record, key.column.name)) ?? null,
    ),
  };
}

/**
 * The position in all terms, from one value per sort key. If that is the truncated key of a long text, the values in
 * the other terms are those of the record's present text. Of a deleted record only the truncated key is known, so
 * records may be repeated, but none is skipped.
 */
export async function completeCursor(
  db: Transaction,
  collection: Collection,
  orders: readonly Order[],
  cursor: Cursor,
): Promise<Cursor> {
  const sortValues: ColumnValue[] = [];
  for (const [i, { key, terms }] of orders.entries()) {
    const sortValue = cursor.sortValues[i] ?? null;
    sortValues.push(sortValue);
    if (terms.length === 1) continue;
    const long = typeof sortValue === 'string' && isLongKey(sortValue);
    const record = long ? await readRecord(db, collection, cursor.id) : undefined;
    const value = record ? valueOf(collection, record, key.column.name) : '';
    sortValues.push(...terms.slice(1).map((term) => term.sortValueOf(value)));
  }
  return { id: cursor.id, sortValues };
}

/** The value of a record in a field or meta column. */
export function valueOf(collection: Collection, record: StoredRecord, name: string): Scalar {
  const index = collection.fields.findIndex((field) => field.name === name);
  if (index >= 0) return record.values[index] ?? null;
  if (name === 'changedAt') return isoTime(record.changedAt);
  return name === 'changedBy' ? record.changedBy : record.id;
}
