import { sql } from 'kysely';
import type { Transaction } from '../database.ts';
import { yieldToEventLoop } from '../cooperative-yield.ts';
import { runText, sendText } from '../prepared-statements.ts';
import type { Stored } from './columns.ts';

/** Parameters of one statement; SQLite compiles long statements slowly and the gain beyond this is small. */
const MAX_PARAMETERS = 1_000;

/**
 * Inserts many rows into one table.
 * @param rows values in the order of `columns`
 */
export async function insertRows(
  db: Transaction,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Stored[])[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  if (db.dialect === 'postgres' && rows.length === 1) {
    await sendText(db, insertText(db, table, columns, 1), first);
    return;
  }
  if (db.dialect === 'postgres') {
    const names = sql.join(columns.map((column) => sql.ref(column)));
    for (const chunk of chunks(rows, 5_000)) {
      const json = JSON.stringify(chunk.map((row) => toObject(columns, row)));
      await sql`insert into ${sql.table(table)} (${names})
        select ${names} from json_populate_recordset(null::${sql.table(table)}, ${json}::json)`.execute(
        db.k,
      );
    }
    return;
  }
  for (const chunk of chunks(rows, chunkSizes(columns.length))) {
    const text = insertText(db, table, columns, chunk.length);
    await runText(db, text, chunk.flat());
    await yieldToEventLoop();
  }
}

/** Making the text of a statement of 1,000 parameters takes longer than running it, so texts are kept. */
const texts = new Map<string, string>();
const KEPT_TEXTS = 1_000;

function keptText(key: string, make: () => string): string {
  let text = texts.get(key);
  if (text === undefined) {
    text = make();
    if (texts.size >= KEPT_TEXTS) texts.clear();
    texts.set(key, text);
  }
  return text;
}

function insertText(
  db: Transaction,
  table: string,
  columns: readonly string[],
  rows: number,
): string {
  return keptText(`${db.dialect} insert ${rows} ${table} ${columns.join()}`, () => {
    const row = sql`(${sql.join(columns.map(() => sql`${null}`))})`;
    const values = sql.join(Array.from({ length: rows }, () => row));
    const names = sql.join(columns.map((column) => sql.ref(column)));
    return sql`insert into ${sql.table(table)} (${names}) values ${values}`.compile(db.k).sql;
  });
}

/**
 * Updates many rows of one table.
 * @param key the columns by which each row is found
 * @param rows the values of `key`, then those of `changed`
 */
export async function updateRows(
  db: Transaction,
  table: string,
  key: readonly string[],
  changed: readonly string[],
  rows: readonly (readonly Stored[])[],
): Promise<void> {
  if (rows.length === 0 || changed.length === 0) return;
  if (db.dialect === 'postgres' && rows.length > 1) {
    const assignments = sql.join(
      changed.map((column) => sql`${sql.ref(column)} = new.${sql.ref(column)}`),
    );
    const found = key.map((column) => sql`old.${sql.ref(column)} = new.${sql.ref(column)}`);
    for (const chunk of chunks(rows, 5_000)) {
      const json = JSON.stringify(chunk.map((row) => toObject([...key, ...changed], row)));
      await sql`update ${sql.table(table)} as old set ${assignments}
        from json_populate_recordset(null::${sql.table(table)}, ${json}::json) as new
        where ${sql.join(found, sql` and `)}`.execute(db.k);
    }
    return;
  }
  const text = updateText(db, table, key, changed);
  for (const [i, row] of rows.entries()) {
    await sendText(db, text, [...row.slice(key.length), ...row.slice(0, key.length)]);
    if (i % 50 === 49) await yieldToEventLoop();
  }
}

function updateText(
  db: Transaction,
  table: string,
  key: readonly string[],
  changed: readonly string[],
): string {
  return keptText(`${db.dialect} update ${table} ${key.join()} ${changed.join()}`, () => {
    const equal = (column: string) => sql`${sql.ref(column)} = ${null}`;
    const found = sql.join(key.map(equal), sql` and `);
    return sql`update ${sql.table(table)} set ${sql.join(changed.map(equal))} where ${found}`.compile(
      db.k,
    ).sql;
  });
}

/** Deletes the rows of these ids. */
export async function deleteRows(
  db: Transaction,
  table: string,
  column: string,
  ids: readonly number[],
): Promise<void> {
  for (const chunk of chunks(ids, [512, 64, 8, 1])) {
    await sql`delete from ${sql.table(table)} where ${sql.ref(column)} in (${sql.join(chunk)})`.execute(
      db.k,
    );
  }
}

/**
 * Cuts a list into pieces of the given sizes, largest first. Few different sizes mean few different statements,
 * which are prepared once each.
 */
export function* chunks<Item>(
  items: readonly Item[],
  sizes: number | readonly number[],
): Generator<readonly Item[]> {
  let at = 0;
  for (const size of typeof sizes === 'number' ? [sizes] : sizes) {
    while (items.length - at >= size) {
      yield items.slice(at, at + size);
      at += size;
    }
  }
  if (at < items.length) yield items.slice(at);
}

function chunkSizes(columns: number): number[] {
  const largest = Math.max(1, Math.floor(MAX_PARAMETERS / columns));
  return [...new Set([largest, Math.max(1, Math.floor(largest / 8)), 1])];
}

function toObject(columns: readonly string[], row: readonly Stored[]): Record<string, Stored> {
  return Object.fromEntries(columns.map((column, i) => [column, row[i] ?? null]));
}
