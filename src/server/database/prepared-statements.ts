import { CompiledQuery, type RawBuilder } from 'kysely';
import type { Transaction } from './database.ts';
import type { Sent } from './database.ts';

/** What makes a statement's text, of parameters that stand for those of each run, in their order. */
type Make = (db: Transaction) => RawBuilder<unknown>;

const texts = new WeakMap<object, Map<string, string>>();

/**
 * Runs a statement whose text is known.
 * @returns its rows, each as the values of its columns in their order; as objects they take longer than their reading
 */
export async function runText(
  db: Transaction,
  text: string,
  parameters: readonly unknown[],
): Promise<unknown[][]> {
  const rows = db.direct?.(text, parameters);
  if (rows) return rows;
  const result = await db.k.executeQuery<object>(CompiledQuery.raw(text, [...parameters]));
  return result.rows.map((row) => Object.values(row));
}

/**
 * Runs a statement of known text for what it writes. On PostgreSQL it is not waited for: what is asked next, and COMMIT,
 * go behind it.
 */
export async function sendText(
  db: Transaction,
  text: string,
  parameters: readonly Sent[],
): Promise<void> {
  if (db.send) db.send(text, parameters);
  else await runText(db, text, parameters);
}

/**
 * Runs a statement whose text is made once: making it takes several times as long as running it.
 * @param owner what the text depends on, beside the database's kind: a definition, or the module itself
 * @param name tells the statements of an owner apart
 * @param parameters as many as those of `make`, in the same order
 * @returns as `runText`; the names of the columns must differ
 */
export function runPrepared(
  db: Transaction,
  owner: object,
  name: string,
  make: Make,
  parameters: readonly unknown[],
): Promise<unknown[][]> {
  let own = texts.get(owner);
  if (!own) texts.set(owner, (own = new Map<string, string>()));
  const key = `${db.dialect} ${name}`;
  let text = own.get(key);
  if (text === undefined) own.set(key, (text = make(db).compile(db.k).sql));
  return runText(db, text, parameters);
}

/** The whole number in a column of a row. @throws {Error} where there is none */
export function integerAt(row: readonly unknown[], column: number): number {
  const value = row[column];
  if (typeof value !== 'number') throw new Error(`Column ${column} of a row holds no number`);
  return value;
}

/** The text in a column of a row. @throws {Error} where there is none */
export function textAt(row: readonly unknown[], column: number): string {
  const value = row[column];
  if (typeof value !== 'string') throw new Error(`Column ${column} of a row holds no text`);
  return value;
}
