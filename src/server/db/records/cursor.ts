import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { ListQuery } from '#shared/lists.ts';
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
  return Buffer.from(JSON.stringify([fingerprint(query), cursor.places, cursor.id])).toString(
    'base64url',
  );
}

/** Reads a position; undefined where it is none, or was made for another sort or filter. */
export function readCursor(query: ListQuery, text: string): Cursor | undefined {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
  const parsed = cursorSchema.safeParse(json);
  if (!parsed.success || parsed.data[0] !== fingerprint(query)) return undefined;
  return { places: parsed.data[1], id: parsed.data[2] };
}

function fingerprint({ where, q, sort }: ListQuery): string {
  return createHash('sha256')
    .update(JSON.stringify([where, q, sort]))
    .digest('base64url')
    .slice(0, 12);
}
