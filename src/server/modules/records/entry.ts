import * as texts from '#messages/service/records.ts';
import type { EntryErrors } from '#shared/contract/errors.ts';
import type { JsonValue } from '#shared/values/json.ts';
import { parseKeyword, parseKeywordList, tooManyKeywords } from '#shared/values/keywords.ts';
import { indexOfName } from '#shared/rules/names.ts';
import '#shared/values/pattern-engine.ts';
import { parseValue, type Scalar } from '#shared/values/values.ts';
import type { Collection } from '#server/database/records/collection.ts';

/** The paths of the errors of an entry (docs/interface/decisions.md, section 3). */
export interface ErrorPaths {
  /** of the record as a whole: `-`, `revisions.ID`, `datasets.N` */
  readonly whole: string;
  field(name: string): string;
  keyword(name: string): string;
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

/** Checks the sent values for one record against the definition; errors are added under their places. */
export function readSent(
  collection: Collection,
  sent: SentRecord,
  places: ErrorPaths,
  errors: EntryErrors,
): GivenValues {
  return {
    values: readValues(collection, sent.values, places, errors),
    keywords: readKeywords(collection, sent.keywords, places, errors),
  };
}

function readValues(
  collection: Collection,
  sent: readonly SentValue[],
  places: ErrorPaths,
  errors: EntryErrors,
): Map<number, Scalar> {
  const what = collection.kind === 'archive' ? 'index field' : 'column';
  const values = new Map<number, Scalar>();
  for (const { name, value } of sent) {
    const at = indexOfName(collection.fields, name);
    const field = collection.fields[at];
    if (!field) {
      errors.add(
        'validation_failed',
        places.field(name.toWellFormed()),
        texts.noFieldOfName({ what }),
      );
      continue;
    }
    if (values.has(at)) {
      errors.add('validation_failed', places.field(field.name), texts.fieldNamedTwice({ what }));
      continue;
    }
    const parsed = parseValue(field, value);
    if (!parsed.ok) errors.add('validation_failed', places.field(field.name), parsed);
    values.set(at, parsed.ok ? parsed.value : null);
  }
  return values;
}

function readKeywords(
  collection: Collection,
  sent: readonly SentKeywords[],
  places: ErrorPaths,
  errors: EntryErrors,
): Map<number, string[]> {
  const most = collection.limits.keywordValues;
  // Repeated keywords count once.
  const found = new Map<number, Set<string>>();
  for (const item of sent) {
    const at = indexOfName(collection.keywordFields, item.name);
    const field = collection.keywordFields[at];
    if (!field) {
      errors.add(
        'validation_failed',
        places.keyword(item.name.toWellFormed()),
        texts.noKeywordField,
      );
      continue;
    }
    const keywords = found.get(at) ?? new Set();
    found.set(at, keywords);
    // The error of the field is reported already.
    if (keywords.size > most) continue;
    const parsed =
      'keywords' in item ? parseKeywordList(item.keywords, most) : parseKeyword(item.value);
    if (!parsed.ok) {
      errors.add('validation_failed', places.keyword(field.name), parsed);
      continue;
    }
    for (const keyword of parsed.keywords) keywords.add(keyword);
    if (keywords.size > most)
      errors.add('validation_failed', places.keyword(field.name), tooManyKeywords(most));
  }
  return new Map([...found].map(([at, keywords]) => [at, [...keywords]]));
}
