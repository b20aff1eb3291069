import { sql, type RawBuilder } from 'kysely';
import type { IgnoredInDuplicates } from '#shared/rules/check-words.ts';
import { isText, valueType } from '#shared/values/registry.ts';
import { comparedColumn, foldColumn, tableName, valueColumn } from '../records/columns.ts';
import type { CollectionRef, StoredField } from '../records/columns.ts';

/* What records are compared by in checks for duplicates, as SQL: the same as modules/checks/duplicate-keys.ts computes. */

/** Keys are whole numbers that JavaScript represents exactly. */
const MAX_KEY = Number.MAX_SAFE_INTEGER;

type Sql = RawBuilder<unknown>;

/** A hash of the values of fields, beginning with the first; null if one is empty. */
export function duplicateKey(
  collection: CollectionRef,
  fields: readonly StoredField[],
  ignore: readonly IgnoredInDuplicates[],
): RawBuilder<number | null> {
  const hash = fields.reduce<Sql>(
    (seed, field) => hashOf(collection, field, ignore, seed),
    sql`0::bigint`,
  );
  return sql<number | null>`(${hash} & ${sql.lit(MAX_KEY)}::bigint)`;
}

function hashOf(
  collection: CollectionRef,
  field: StoredField,
  ignore: readonly IgnoredInDuplicates[],
  seed: Sql,
): Sql {
  const column = (name: string) => sql.ref(`${tableName(collection)}.${name}`);
  if (isText(field)) {
    const text = column(ignore.includes('case') ? foldColumn(field) : valueColumn(field));
    return sql`hashtextextended(nullif(${reduced(text, ignore)}, ''), ${seed})`;
  }
  const value = column(comparedColumn(field));
  const { column: kind, comparison } = valueType(field.type);
  if (comparison.by === 'number') return sql`hashint8extended(${value}, ${seed})`;
  switch (kind) {
    case 'integer':
      return sql`hashint8extended(${value}, ${seed})`;
    case 'decimal':
      return sql`hash_numeric_extended(${value}, ${seed})`;
    case 'boolean':
      return sql`hashint8extended(${value}::int, ${seed})`;
    case 'date':
      return sql`hashint8extended(${value} - date '2000-01-01', ${seed})`;
    case 'text':
      return sql`hashtextextended(nullif(${value}, ''), ${seed})`;
    default:
      return kind satisfies never;
  }
}

/**
 * The most frequent ignored characters. They are removed first, because a regular expression takes several times as
 * long for each match.
 */
const FREQUENT = { spaces: [' '], punctuation: ['-', '.', ','] } as const;

/** A text without the ignored characters. */
function reduced(text: Sql, ignore: readonly IgnoredInDuplicates[]): Sql {
  const omitted = [
    ...(ignore.includes('spaces') ? [String.raw`\s`] : []),
    ...(ignore.includes('punctuation') ? [String.raw`\p{P}`, String.raw`\p{S}`] : []),
  ].join('');
  let result = text;
  if (omitted !== '') {
    for (const character of [
      ...(ignore.includes('spaces') ? FREQUENT.spaces : []),
      ...(ignore.includes('punctuation') ? FREQUENT.punctuation : []),
    ]) {
      result = sql`replace(${result}, ${character}, '')`;
    }
    result = sql`regexp_replace(${result}, ${`[${classOf(omitted)}]+`}, '', 'g')`;
  }
  if (ignore.includes('leading zeros')) {
    const digit = `[${classOf(String.raw`\p{N}`)}]`;
    result = sql`regexp_replace(${result}, ${`(?<!${digit})0+(?=${digit})`}, '', 'g')`;
  }
  return result;
}

const classes = new Map<string, string>();

/** The content of a bracket expression of PostgreSQL, whose regular expressions have no Unicode classes. */
function classOf(members: string): string {
  let ranges = classes.get(members);
  if (ranges === undefined) {
    const isMember = new RegExp(`[${members}]`, 'u');
    ranges = '';
    for (let code = 1; code <= MAX_CODE_POINT; code++) {
      if (!isMember.test(String.fromCodePoint(code))) continue;
      const first = code;
      while (code < MAX_CODE_POINT && isMember.test(String.fromCodePoint(code + 1))) code++;
      ranges += first === code ? escapeOf(code) : `${escapeOf(first)}-${escapeOf(code)}`;
    }
    classes.set(members, ranges);
  }
  return ranges;
}

const MAX_CODE_POINT = 0x10ffff;

function escapeOf(code: number): string {
  return String.raw`\U${code.toString(16).padStart(8, '0')}`;
}
