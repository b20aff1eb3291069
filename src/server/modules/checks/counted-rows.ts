import { sql } from 'kysely';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import type { Transaction } from '#server/database/database.ts';
import { integerAt } from '#server/database/row-values.ts';

/** The tables that counting fills, with their columns except the check's number, in the order of their keys. */
const COLUMNS = {
  check_findings: ['row_id'],
  check_keys: ['part', 'key', 'row_id'],
  check_record_keys: ['row_id', 'part', 'key'],
} as const;

type CountedTable = keyof typeof COLUMNS;

const COUNTED_TABLES = [
  'check_findings',
  'check_keys',
  'check_record_keys',
] as const satisfies readonly CountedTable[];

/** Rows of such a table in the order of its key: the values of its columns, row after row. Sent between threads as it is. */
export type PackedRows = Float64Array<ArrayBuffer>;

/** Which rows of a check are to be removed and added. */
export interface RowChanges {
  readonly table: CountedTable;
  readonly removed: PackedRows;
  readonly added: PackedRows;
}

/** How many numbers a row has. */
export function rowWidth(table: CountedTable): number {
  return COLUMNS[table].length;
}

export function packRows(numbers: readonly number[]): PackedRows {
  return Float64Array.from(numbers);
}

/** Rows one after the other. */
export function joinRows(lists: readonly PackedRows[]): PackedRows {
  const joined = new Float64Array(lists.reduce((length, rows) => length + rows.length, 0));
  let end = 0;
  for (const rows of lists) {
    joined.set(rows, end);
    end += rows.length;
  }
  return joined;
}

const PAGE = 10_000;

/** All rows of a check. */
export async function readRows(
  db: Transaction,
  table: CountedTable,
  checkId: number,
): Promise<PackedRows> {
  const columns: readonly string[] = COLUMNS[table];
  const list = sql.join(columns.map((column) => sql.ref(column)));
  const statement = {
    owner: COLUMNS,
    name: `page of ${table}`,
    build: () => sql`select ${list} from ${sql.table(table)}
      where check_id = ${0} and (${list}) > (${sql.join(columns.map(() => sql`${0}`))})
      order by ${list} limit ${0}`,
  };
  const numbers: number[] = [];
  let after = columns.map((column) => (column === 'part' ? -1 : Number.MIN_SAFE_INTEGER));
  for (;;) {
    const page = await db.run(statement, [checkId, ...after, PAGE]);
    for (const row of page) for (const i of columns.keys()) numbers.push(integerAt(row, i));
    if (page.length < PAGE) return packRows(numbers);
    after = numbers.slice(-columns.length);
    await yieldToEventLoop();
  }
}

/** The table in which keys are found by record: where the database stores them, there is one for both orders. */
export function recordKeyTable(db: Transaction): 'check_keys' | 'check_record_keys' {
  return db.adapter.duplicateKeys ? 'check_keys' : 'check_record_keys';
}

/** The keys that are stored of some records, as rows of `check_record_keys`. */
export async function readRecordKeys(
  db: Transaction,
  checkId: number,
  ids: readonly number[],
): Promise<PackedRows> {
  const { rows } = await sql<{ id: number; part: number; key: number }>`
    select row_id as id, part, key from ${sql.table(recordKeyTable(db))}
    where check_id = ${checkId} and row_id ${db.adapter.isAmong(ids)}
    order by row_id, part`.execute(db.k);
  return packRows(rows.flatMap(({ id, part, key }) => [id, part, key]));
}

/** Which of some records are stored as findings of checks, by the check, in their order. */
export async function readFindings(
  db: Transaction,
  checkIds: readonly number[],
  ids: readonly number[],
): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ check: number; id: number }>`
    select check_id as "check", row_id as id from check_findings
    where check_id ${db.adapter.isAmong(checkIds)} and row_id ${db.adapter.isAmong(ids)}
    order by check_id, row_id`.execute(db.k);
  const found = new Map(checkIds.map((id) => [id, new Array<number>()]));
  for (const { check, id } of rows) found.get(check)?.push(id);
  return found;
}

/** Compares rows of a table, both in the order of its key. */
export async function comparePackedRows(
  table: CountedTable,
  before: PackedRows,
  after: PackedRows,
): Promise<RowChanges> {
  const width = rowWidth(table);
  const removed = new Float64Array(before.length);
  const added = new Float64Array(after.length);
  let [old, now, removedEnd, addedEnd] = [0, 0, 0, 0];
  for (let step = 1; old < before.length || now < after.length; step++) {
    const order = compareRows(before, old, after, now, width);
    if (order < 0) for (let i = 0; i < width; i++) removed[removedEnd++] = before[old + i] ?? 0;
    if (order > 0) for (let i = 0; i < width; i++) added[addedEnd++] = after[now + i] ?? 0;
    if (order <= 0) old += width;
    if (order >= 0) now += width;
    if (step % PAGE === 0) await yieldToEventLoop();
  }
  return { table, removed: removed.slice(0, removedEnd), added: added.slice(0, addedEnd) };
}

/** Beyond the end of a list everything is greater. */
function compareRows(a: PackedRows, at: number, b: PackedRows, bt: number, width: number): number {
  for (let i = 0; i < width; i++) {
    const order = (a[at + i] ?? Number.MAX_SAFE_INTEGER) - (b[bt + i] ?? Number.MAX_SAFE_INTEGER);
    if (order !== 0) return order;
  }
  return 0;
}

export async function writeRows(
  db: Transaction,
  checkId: number,
  { table, removed, added }: RowChanges,
): Promise<void> {
  const columns: readonly string[] = COLUMNS[table];
  const equal = columns.map((column) => sql`${sql.ref(column)} = ${0}`);
  const statement = {
    owner: COLUMNS,
    name: `delete from ${table}`,
    build: () => sql`delete from ${sql.table(table)}
      where check_id = ${0} and ${sql.join(equal, sql` and `)}`,
  };
  for (const row of split(removed, columns.length)) {
    await db.send(statement, [checkId, ...row]);
    await yieldToEventLoop();
  }
  await db.adapter.insertNumbers(db, table, { check_id: checkId }, columns, added);
}

function split(rows: PackedRows, width: number): number[][] {
  return Array.from({ length: rows.length / width }, (_, i) => [
    ...rows.subarray(i * width, (i + 1) * width),
  ]);
}

/** A check that no longer exists but still has stored rows; undefined: there is none. */
export async function findAbandoned(
  db: Transaction,
): Promise<{ readonly table: CountedTable; readonly checkId: number } | undefined> {
  const states = await db.k.selectFrom('check_states').select('id').execute();
  const known = new Set(states.map(({ id }) => id));
  const { duplicateKeys } = db.adapter;
  const stored = (await duplicateKeys?.storedChecks(db)) ?? [];
  const abandoned = stored.find((id) => !known.has(id));
  if (abandoned !== undefined) return { table: 'check_keys', checkId: abandoned };
  for (const table of duplicateKeys ? (['check_findings'] as const) : COUNTED_TABLES) {
    for (let checkId: number | null = 0; ;) {
      const { rows } = await sql<{ id: number | null }>`
        select min(check_id) as id from ${sql.table(table)} where check_id > ${checkId}`.execute(
        db.k,
      );
      checkId = rows[0]?.id ?? null;
      if (checkId === null) break;
      if (!known.has(checkId)) return { table, checkId };
    }
  }
  return undefined;
}

/** Deletes so many rows of a check; of keys that the database stores itself (`Adapter.duplicateKeys`), all. */
export async function deleteRowBatch(
  db: Transaction,
  { table, checkId }: { readonly table: CountedTable; readonly checkId: number },
  limit: number,
): Promise<void> {
  if (db.adapter.duplicateKeys && table !== 'check_findings') {
    return db.adapter.duplicateKeys.remove(db, checkId);
  }
  const columns = sql.join(COLUMNS[table].map((column) => sql.ref(column)));
  await sql`delete from ${sql.table(table)} where check_id = ${checkId} and (${columns}) in (
    select ${columns} from ${sql.table(table)} where check_id = ${checkId}
    order by ${columns} limit ${limit})`.execute(db.k);
}
