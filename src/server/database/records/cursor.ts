import { hash } from 'node:crypto';
import * as z from 'zod';
import type { ListQuery } from '#shared/lists.ts';
import { isDate } from '#shared/dates.ts';
import type { Scalar, ValueType } from '#shared/values.ts';
import type { Transaction } from '../database.ts';
import type { Stored } from './columns.ts';

/** A position in a list: where in the order the last record of a page stands. */
export interface Cursor {
  readonly places: readonly Stored[];
  readonly id: number;
}

const cursorSchema = z.tuple([
  z.string(),
  z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
  z.int(),
]);

/** Writes a position for `after`, bound to the filter and the sort it was made for. */
export function writeCursor(query: ListQuery, cursor: Cursor): string {
  const places = cursor.places.map((place, i) =>
    // SQLite has its own; positions are the same on both databases.
    place !== null && query.sort[i]?.column.type === 'boolean' ? Boolean(place) : place,
  );
  return Buffer.from(JSON.stringify([fingerprint(query), places, cursor.id])).toString('base64url');
}

/** Reads a position; undefined where it is none, or was made for another sort or filter. */
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
  const [, places, id] = parsed.data;
  // The sender can write one of its own; the database would not take a place of another type.
  if (places.length !== query.sort.length) return undefined;
  if (!places.every((place, i) => isPlace(query.sort[i]?.column.type, place))) return undefined;
  return { places: places.map((place) => adapter.toStored(place)), id };
}

function isPlace(type: ValueType | undefined, place: Scalar): boolean {
  if (place === null || type === undefined) return place === null;
  switch (type) {
    case 'text':
      return typeof place === 'string' && !place.includes('\u0000');
    case 'date':
      return typeof place === 'string' && isDate(place);
    case 'integer':
    // A date-time stands at its instant.
    case 'datetime':
      return Number.isSafeInteger(place);
    case 'decimal':
      return typeof place === 'number';
    case 'boolean':
      return typeof place === 'boolean';
    default:
      return type satisfies never;
  }
}

function fingerprint({ where, q, sort }: ListQuery): string {
  return hash('sha256', JSON.stringify([where, q, sort]), 'base64url').slice(0, 12);
}
