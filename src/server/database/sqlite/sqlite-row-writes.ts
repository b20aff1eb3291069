import { sql } from 'kysely';
import { yieldsAfter, yieldToEventLoop } from '../cooperative-yield.ts';
import type { RowWrites } from '../database.ts';
import { chunks, insertStatement, updateStatement } from '../records/bulk-statements.ts';
import { tableName } from '../records/columns.ts';
import { integerAt } from '../row-values.ts';

/** Parameters of one statement. SQLite compiles long statements slowly and more parameters gain little. */
const MAX_PARAMETERS = 1_000;

export const ROW_WRITES: RowWrites = {
  async insertRows(db, table, columns, rows) {
    const [first] = rows;
    if (rows.length === 1 && first) return db.send(insertStatement(table, columns, 1), first);
    for (const chunk of chunks(rows, chunkSizes(columns.length))) {
      await db.send(insertStatement(table, columns, chunk.length), chunk.flat());
      await yieldToEventLoop();
    }
  },
  async insertNumbers(db, table, same, columns, numbers) {
    const all = [...Object.keys(same), ...columns];
    const width = columns.length;
    for (let at = 0; at < numbers.length;) {
      const left = (numbers.length - at) / width;
      const count = chunkSizes(all.length).find((size) => size <= left) ?? 1;
      const parameters: number[] = [];
      for (const end = at + count * width; at < end;) {
        parameters.push(...Object.values(same));
        for (let i = 0; i < width; i++) parameters.push(numbers[at++] ?? 0);
      }
      await db.send(insertStatement(table, all, count), parameters);
      await yieldToEventLoop();
    }
  },
  async updateRows(db, table, key, changed, rows) {
    const statement = updateStatement(table, key, changed);
    for (const [i, row] of rows.entries()) {
      await db.send(statement, [...row.slice(key.length), ...row.slice(0, key.length)]);
      if (yieldsAfter(i)) await yieldToEventLoop();
    }
  },
  async updateGroups(db, collection, after, limit) {
    const name = tableName(collection);
    const build = () =>
      sql`select _id from ${sql.table(name)} where _id > ${0} order by _id limit ${0}`;
    const rows = await db.run({ owner: NEXT_IDS, name, build }, [after, limit]);
    return [rows.map((row) => integerAt(row, 0))];
  },
  async takeIds(db, collection, count) {
    const [row] = await db.run(LAST_ID, [tableName(collection)]);
    const last = row ? integerAt(row, 0) : 0;
    return Array.from({ length: count }, (_, i) => last + 1 + i);
  },
};

/** The owner of the statements of `updateGroups`. */
const NEXT_IDS = {};

const LAST_ID = {
  owner: ROW_WRITES,
  name: 'last id',
  build: () => sql`select seq from sqlite_sequence where name = ${''}`,
};

function chunkSizes(columns: number): number[] {
  const sizes = [1, 8, 24].map((divisor) => Math.floor(MAX_PARAMETERS / columns / divisor));
  return [...new Set([...sizes.filter((size) => size > 1), 1])];
}
