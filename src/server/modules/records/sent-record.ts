import * as texts from '#messages/service/records.ts';
import type { EntryErrors } from '#shared/contract/errors.ts';
import type { JsonValue } from '#shared/values/json.ts';
import { parseKeyword, parseKeywordList, tooManyKeywords } from '#shared/values/keywords.ts';
import { indexOfName } from '#shared/rules/names.ts';
import '#shared/values/pattern-engine.ts';
import { MAX_SCALE } from '#shared/values/decimal.ts';
import { parseType, parseValue } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { IndexField } from '#shared/rules/definitions.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { isWritable } from '#server/database/records/collection-view.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import { sameList } from '../history/history.service.ts';

/** The paths of the errors of an entry (docs/interface/decisions.md, section 3). */
export interface ErrorPaths {
  /** of the record as a whole: `-`, `revisions.ID`, `datasets.N` */
  readonly whole: string;
  field(name: string): string;
  keyword(name: string): string;
}

/** The paths of the errors of an entry with this path. */
export function pathsBelow(whole: string): ErrorPaths {
  return { whole, field: (name) => `${whole}.${name}`, keyword: () => whole };
}

export interface SentValue {
  readonly name: string;
  readonly value: JsonValue;
}
export type SentKeywords = SentValue | { readonly name: string; readonly keywords: JsonValue };

/** The values of one record as sent. */
export interface SentRecord {
  readonly values: readonly SentValue[];
  readonly keywords: readonly SentKeywords[];
}

/** The checked values, by the position of the field in the definition. */
export interface GivenValues {
  readonly values: ReadonlyMap<number, Scalar>;
  readonly keywords: ReadonlyMap<number, readonly string[]>;
}

/** The values of a record before a write, by the positions of the fields. */
type Before = Pick<StoredRecord, 'values' | 'keywords'>;

/**
 * Checks the sent values of one record against the definition; errors are added under their paths. In a user's view
 * only changed values are checked, and those of read-only fields must not change.
 * @param before the present state of the record; null: it does not exist
 */
export function readSentRecord(
  collection: Collection,
  sent: SentRecord,
  before: Before | null,
  paths: ErrorPaths,
  errors: EntryErrors,
): GivenValues {
  return {
    values: readValues(collection, sent.values, before, paths, errors),
    keywords: readKeywords(collection, sent.keywords, before, paths, errors),
  };
}

function readValues(
  collection: Collection,
  sent: readonly SentValue[],
  before: Before | null,
  paths: ErrorPaths,
  errors: EntryErrors,
): Map<number, Scalar> {
  const what = collection.kind === 'archive' ? 'index field' : 'column';
  const values = new Map<number, Scalar>();
  for (const { name, value } of sent) {
    const at = indexOfName(collection.fields, name);
    const field = collection.fields[at];
    if (!field) {
      const sent = name.toWellFormed();
      const message = texts.noFieldOfName({ what, name: sent });
      errors.add('validation_failed', paths.field(sent), message);
      continue;
    }
    if (values.has(at)) {
      errors.add('validation_failed', paths.field(field.name), texts.fieldNamedTwice({ what }));
      continue;
    }
    if (collection.restriction && before && isUnchanged(field, value, before.values[at] ?? null)) {
      values.set(at, before.values[at] ?? null);
      continue;
    }
    if (!isWritable(collection, field)) {
      errors.add('forbidden', paths.field(field.name), texts.fieldReadOnly);
    }
    const parsed = parseValue(field, value);
    if (!parsed.ok) errors.add('validation_failed', paths.field(field.name), parsed);
    values.set(at, parsed.ok ? parsed.value : null);
  }
  return values;
}

/** Whether a sent value equals the present one, which may violate today's rules. */
function isUnchanged({ type }: IndexField, sent: JsonValue, stored: Scalar): boolean {
  const typed = parseType({ type, scale: MAX_SCALE }, sent);
  return typed.ok && typed.value === stored;
}

function readKeywords(
  collection: Collection,
  sent: readonly SentKeywords[],
  before: Before | null,
  paths: ErrorPaths,
  errors: EntryErrors,
): Map<number, string[]> {
  const maxKeywords = collection.limits.keywordValues;
  // Repeated keywords count once.
  const found = new Map<number, Set<string>>();
  for (const item of sent) {
    const at = indexOfName(collection.keywordFields, item.name);
    const field = collection.keywordFields[at];
    if (!field) {
      const name = item.name.toWellFormed();
      errors.add('validation_failed', paths.keyword(name), texts.noKeywordField({ name }));
      continue;
    }
    const keywords = found.get(at) ?? new Set();
    found.set(at, keywords);
    // The error of the field is reported already.
    if (keywords.size > maxKeywords) continue;
    const parsed =
      'keywords' in item ? parseKeywordList(item.keywords, maxKeywords) : parseKeyword(item.value);
    if (!parsed.ok) {
      errors.add('validation_failed', paths.keyword(field.name), parsed);
      continue;
    }
    for (const keyword of parsed.keywords) keywords.add(keyword);
    if (keywords.size > maxKeywords)
      errors.add('validation_failed', paths.keyword(field.name), tooManyKeywords(maxKeywords));
  }
  for (const [at, keywords] of found) {
    const field = collection.keywordFields[at];
    if (!field || isWritable(collection, field)) continue;
    if (!sameList([...keywords], before?.keywords[at] ?? [])) {
      errors.add('forbidden', paths.keyword(field.name), texts.fieldReadOnly);
    }
  }
  return new Map([...found].map(([at, keywords]) => [at, [...keywords]]));
}
