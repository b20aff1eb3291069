import { CompiledQuery, type QueryResult, type RawBuilder } from 'kysely';
import type { Db } from './database.ts';

/** What makes a statement's text, of parameters that stand for those of each run, in their order. */
type Make = (db: Db) => RawBuilder<unknown>;

const texts = new WeakMap<object, Map<string, string>>();

/**
 * Runs a statement whose text is made once: making it takes several times as long as running it.
 * @param owner what the text depends on, beside the database's kind: a definition, or the module itself
 * @param name tells the statements of an owner apart
 * @param parameters as many as those of `make`, in the same order
 */
export function runKept<Row>(
  db: Db,
  owner: object,
  name: string,
  make: Make,
  parameters: readonly unknown[],
): Promise<QueryResult<Row>> {
  let own = texts.get(owner);
  if (!own) texts.set(owner, (own = new Map<string, string>()));
  const key = `${db.dialect} ${name}`;
  let text = own.get(key);
  if (text === undefined) own.set(key, (text = make(db).compile(db.k).sql));
  return db.k.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]));
}
