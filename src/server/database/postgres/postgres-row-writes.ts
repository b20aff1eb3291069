import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { CachedStatement, RowWrites, Transaction } from '../database.ts';
import { chunks, insertStatement, updateStatement } from '../records/bulk-statements.ts';
import { tableName, type ColumnValue } from '../records/columns.ts';
import { integerAt } from '../row-values.ts';

/** Rows of one statement; few, so that PostgreSQL writes them while the parameter of the next statement is made. */
const MAX_ROWS = 250;

async function sendRows(
  db: Transaction,
  statement: CachedStatement,
  columns: readonly string[],
  rows: readonly (readonly ColumnValue[])[],
): Promise<void> {
  let isFirst = true;
  for (const chunk of chunks(rows, MAX_ROWS)) {
    // What was sent leaves at the end of this turn of the event loop. The last one leaves together with what follows.
    if (!isFirst) await setImmediate();
    isFirst = false;
    await db.send(statement, [toJson(columns, chunk)]);
  }
}

/** Rows are sent as one parameter, a list of JSON objects, so that one statement works for any number of rows. */
export const ROW_WRITES: RowWrites = {
  async insertRows(db, table, columns, rows) {
    const [first] = rows;
    if (first && rows.length === 1) return db.send(insertStatement(table, columns, 1), first);
    const build = () => {
      const names = sql.join(columns.map((column) => sql.ref(column)));
      return sql`insert into ${sql.table(table)} (${names})
        select ${names} from json_populate_recordset(null::${sql.table(table)}, ${''}::json)`;
    };
    const statement = { owner: ROW_WRITES, name: `insert ${table} ${columns.join()}`, build };
    await sendRows(db, statement, columns, rows);
  },
  async insertNumbers(db, table, same, columns, numbers) {
    const width = columns.length;
    if (numbers.length === 0) return;
    const all = [...Object.keys(same), ...columns];
    const build = () => {
      const values = [
        ...Object.keys(same).map(() => sql`${0}::bigint`),
        ...columns.map((column) => sql.ref(`numbers.${column}`)),
      ];
      const lists = columns.map(() => sql`${''}::bigint[]`);
      const names = (of: readonly string[]) => sql.join(of.map((column) => sql.ref(column)));
      return sql`insert into ${sql.table(table)} (${names(all)}) select ${sql.join(values)}
        from unnest(${sql.join(lists)}) as numbers (${names(columns)})`;
    };
    const statement = { owner: ROW_WRITES, name: `numbers ${table} ${all.join()}`, build };
    const lists = columns.map((_, i) => {
      const list: number[] = [];
      for (let at = i; at < numbers.length; at += width) list.push(numbers[at] ?? 0);
      return `{${list.join()}}`;
    });
    await db.send(statement, [...Object.values(same), ...lists]);
  },
  async updateRows(db, table, key, changed, rows) {
    const [first] = rows;
    if (first && rows.length === 1) {
      const values = [...first.slice(key.length), ...first.slice(0, key.length)];
      return db.send(updateStatement(table, key, changed), values);
    }
    const build = () => {
      const assignments = changed.map((column) => sql`${sql.ref(column)} = new.${sql.ref(column)}`);
      const found = key.map((column) => sql`old.${sql.ref(column)} = new.${sql.ref(column)}`);
      return sql`update ${sql.table(table)} as old set ${sql.join(assignments)}
        from json_populate_recordset(null::${sql.table(table)}, ${''}::json) as new
        where ${sql.join(found, sql` and `)}`;
    };
    const name = `update ${table} ${key.join()} ${changed.join()}`;
    await sendRows(db, { owner: ROW_WRITES, name, build }, [...key, ...changed], rows);
  },
  async updateGroups(db, collection, after, limit) {
    const name = tableName(collection);
    // `ctid` is the number of a page and the place in it, written as a point.
    const place = sql`(ctid::text::point)[1]::integer`;
    const build = () => sql`select _id, ${place} % ${sql.lit(UPDATE_GROUPS)} from ${sql.table(name)}
      where _id > ${0} order by _id limit ${0}`;
    const rows = await db.run({ owner: UPDATE_GROUPS_OF, name, build }, [after, limit]);
    const isWorthwhile = rows.length >= MIN_GROUPED;
    const groups: number[][] = [];
    for (const row of rows) {
      (groups[isWorthwhile ? integerAt(row, 1) : 0] ??= []).push(integerAt(row, 0));
    }
    return groups.flatMap((ids) => (ids ? [ids] : []));
  },
  async takeIds(db, collection, count) {
    const rows = await db.run(NEXT_IDS, [`${tableName(collection)}__id_seq`, count]);
    return rows.map((row) => integerAt(row, 0));
  },
};

/**
 * An updated record is a new version of its row, which has entries in all indexes, unless no indexed column changes and
 * there is space in the page (https://www.postgresql.org/docs/current/storage-hot.html). A page that was loaded is
 * full: the first of its records that change move to other pages, and the next ones take their space, if the
 * transaction that moved them has ended. So a page is changed in this many transactions.
 */
const UPDATE_GROUPS = 8;

/** Fewer records are changed at once. */
const MIN_GROUPED = 500;

/** The owner of the statements of `updateGroups`. */
const UPDATE_GROUPS_OF = {};

const NEXT_IDS = {
  owner: ROW_WRITES,
  name: 'next ids',
  build: () => sql`
    select nextval(${''}::text::regclass) as id from generate_series(1, ${0}::int)`,
};

function toJson(columns: readonly string[], rows: readonly (readonly ColumnValue[])[]): string {
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i] ?? null]))),
  );
}
