import { sql } from 'kysely';
import type { Transaction } from './database.ts';
import { chunks, insertRows } from './records/bulk-statements.ts';

/** Keys per statement; few sizes, so that few statements are prepared. */
const CHUNKS = [250, 25, 1];

/**
 * Maps keys to whole numbers in a temporary table: for work with more keys than fit into memory (a Map holds at most
 * 16.7 million). It exists within one transaction, is created with the first key, and must be dropped at the end.
 */
export class TemporaryKeyMap<Key extends string | number> {
  readonly #table: string;
  readonly #type: 'text' | 'integer';
  #isCreated = false;

  /** @param name of the table, which no other table of the database may have */
  constructor(name: string, type: Key extends number ? 'integer' : 'text') {
    this.#table = name;
    this.#type = type;
  }

  /** The numbers of the keys that exist. */
  async read(db: Transaction, keys: readonly Key[]): Promise<Map<Key, number>> {
    const found = new Map<Key, number>();
    if (!this.#isCreated) return found;
    for (const chunk of chunks([...new Set(keys)], CHUNKS)) {
      const { rows } = await sql<{ key: Key; value: number }>`
        select key, value from ${sql.table(this.#table)} where key in (${sql.join(chunk)})`.execute(
        db.k,
      );
      for (const { key, value } of rows) found.set(key, value);
    }
    return found;
  }

  /** @param entries of keys that do not exist yet, each once */
  async add(db: Transaction, entries: Iterable<readonly [Key, number]>): Promise<void> {
    const rows = Array.from(entries, ([key, value]) => [key, value]);
    if (rows.length === 0) return;
    if (!this.#isCreated) await this.#create(db);
    await insertRows(db, this.#table, ['key', 'value'], rows);
  }

  /** @param entries of keys that exist */
  async change(db: Transaction, entries: Iterable<readonly [Key, number]>): Promise<void> {
    for (const [key, value] of entries) {
      await sql`update ${sql.table(this.#table)} set value = ${value} where key = ${key}`.execute(
        db.k,
      );
    }
  }

  async drop(db: Transaction): Promise<void> {
    if (this.#isCreated) await sql`drop table ${sql.table(this.#table)}`.execute(db.k);
    this.#isCreated = false;
  }

  async #create(db: Transaction): Promise<void> {
    const { columnTypes, recordTypes, untilCommit } = db.adapter;
    const { text, integer } = recordTypes;
    const key = this.#type === 'text' ? text : integer;
    // SQLite always stores rows in the order of an integer key.
    const strict = this.#type === 'text' ? columnTypes.strictByKey : columnTypes.strict;
    await sql`create temporary table ${sql.table(this.#table)}
      (key ${key} primary key not null, value ${integer} not null) ${strict} ${untilCommit}`.execute(
      db.k,
    );
    this.#isCreated = true;
  }
}
