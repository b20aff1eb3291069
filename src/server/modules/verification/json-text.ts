import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '#server/database/database.ts';

/*
 * JSON as `JSON.stringify` writes it, made by the database: to make it here takes several times as long. Where the
 * database would write it in another way, as numbers with an exponent, the texts differ and are compared here.
 */

/**
 * A text of the database as JSON; no value: no text. PostgreSQL writes most texts in a third of the time where it need not
 * look at each character; of rare control characters, which JSON escapes, the text differs and is compared here.
 */
export function jsonText(db: Transaction, value: RawBuilder<unknown>): RawBuilder<unknown> {
  if (db.dialect === 'sqlite')
    return sql`case when ${value} is not null then json_quote(${value}) end`;
  const without = (code: number) => sql`strpos(${value}, chr(${sql.lit(code)})) = 0`;
  const plain = sql.join([QUOTE, BACKSLASH, NEW_LINE].map(without), sql` and `);
  return sql`case when ${plain} then ${quoted(value)} else to_json(${value}::text)::text end`;
}

const [NEW_LINE, QUOTE, BACKSLASH] = [10, 34, 92];

/** A date of the database as JSON. */
export function jsonDate(db: Transaction, value: RawBuilder<unknown>): RawBuilder<unknown> {
  return db.dialect === 'sqlite' ? jsonText(db, value) : quoted(value);
}

function quoted(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`'"' || ${value} || '"'`;
}

/** PostgreSQL takes at most 100 arguments. */
const MOST_ARGUMENTS = 50;

/** Texts one after the other, without those that are null. */
export function concatenated(parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  if (parts.length <= MOST_ARGUMENTS) return sql`concat(${sql.join(parts)})`;
  const groups: RawBuilder<unknown>[] = [];
  for (let at = 0; at < parts.length; at += MOST_ARGUMENTS) {
    groups.push(concatenated(parts.slice(at, at + MOST_ARGUMENTS)));
  }
  return concatenated(groups);
}

/** A text that stands in the statement, whose type PostgreSQL cannot tell by itself. */
export function fixedText(db: Transaction, text: string): RawBuilder<unknown> {
  return db.dialect === 'sqlite' ? sql`${text}` : sql`${text}::text`;
}
