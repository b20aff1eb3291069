import { sql, type RawBuilder } from 'kysely';
import { fold } from '#shared/values/fold.ts';
import type { Adapter } from '../database.ts';
import { foldColumn, valueColumn, type StoredField } from './columns.ts';

/**
 * Texts sort by their folded form, then their code points (docs/interface/decisions.md, section 4). One key of limited
 * length combines both, so that it can be indexed: the folded form, U+0001, the text. For longer texts the key has only
 * the beginning, and texts with equal beginnings must be compared themselves. 300 characters of up to four bytes,
 * twice, stay below the 2,704 bytes of an index entry in PostgreSQL.
 */
export const KEY_LENGTH = 300;
const SEPARATOR = '\u0001';
/** Sorts a truncated folded form after a complete one of exactly the maximum length. */
const TRUNCATION_MARK = '\u{10ffff}';

/** The key of a text, as the database computes it. */
export function sortKey(text: string): string {
  const folded = fold(text);
  const start = firstCharacters(folded);
  return start.length < folded.length
    ? start + TRUNCATION_MARK
    : start + SEPARATOR + firstCharacters(text);
}

/** Whether ordering this text among texts with the same key needs more than the key. */
export function isLongKey(key: string): boolean {
  let length = 0;
  for (const _ of key) if (++length >= KEY_LENGTH) return true;
  return false;
}

function firstCharacters(text: string): string {
  if (text.length <= KEY_LENGTH) return text;
  return Array.from(text.slice(0, KEY_LENGTH * 2))
    .slice(0, KEY_LENGTH)
    .join('');
}

/** The sort key of the user who last changed a record; users are few, so it needs no column. */
export function changedByKeySql(adapter: Pick<Adapter, 'sortKeyOf'>): RawBuilder<string | null> {
  return adapter.sortKeyOf(sql.ref('_changed_by_fold'), sql.ref('_changed_by'));
}

/** The text of a key that is not truncated: the folded text, U+0001 and the text, which may both contain U+0001. */
export function textOfKey(key: string): string {
  const parts = key.split('\u0001');
  return parts.slice(parts.length / 2).join('\u0001');
}

/** Whether a row's key may be truncated; the condition of the partial index that finds such rows. */
export function longKeySql(field: Pick<StoredField, 'number'>): RawBuilder<boolean> {
  const [folded, text] = [sql.ref(foldColumn(field)), sql.ref(valueColumn(field))];
  return sql`(length(${folded}) + length(${text}) >= ${sql.lit(KEY_LENGTH - 1)})`;
}
