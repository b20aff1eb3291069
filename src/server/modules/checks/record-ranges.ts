import { sql } from 'kysely';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { tableName } from '#server/database/records/columns.ts';
import type { Sql } from '#server/database/records/comparisons.ts';
import { integerAt } from '#server/database/row-values.ts';

/** Records of one range. A statement that calls functions keeps their arguments in memory until it ends (node:sqlite). */
const SIZE = 5_000;

/** Conditions that together all records meet, each of them one, in the order of their ids. */
export async function* recordRanges(db: Transaction, collection: Collection): AsyncGenerator<Sql> {
  const table = tableName(collection);
  const id = sql.ref(`${table}._id`);
  const statement = {
    owner: recordRanges,
    name: table,
    build: () => sql`select _id from ${sql.table(table)}
      where _id > ${0} order by _id limit 1 offset ${sql.lit(SIZE - 1)}`,
  };
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const [last] = await db.run(statement, [after]);
    if (!last) {
      yield sql<boolean>`${id} > ${after}`;
      return;
    }
    const upTo = integerAt(last, 0);
    yield sql<boolean>`${id} > ${after} and ${id} <= ${upTo}`;
    after = upTo;
    await yieldToEventLoop();
  }
}
