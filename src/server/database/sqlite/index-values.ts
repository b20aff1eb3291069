import { sql, type RawBuilder } from 'kysely';
import type { ListColumn } from '#shared/rules/lists.ts';
import { yieldToEventLoop } from '../cooperative-yield.ts';
import type { Transaction } from '../database.ts';
import type { Collection } from '../records/collection.ts';
import { tableName, type ColumnValue } from '../records/columns.ts';
import { countRows } from '../records/count-rows.ts';
import { isLongKey, KEY_LENGTH, longKeySql, sortKey, textOfKey } from '../records/sort-key.ts';
import { sourceOf, type ColumnSource, type TextSource } from '../records/list-column-source.ts';
import { tableByIndex } from './table-by-index.ts';
import { filterIds, membershipTest, parseIds, type IdList } from './id-lists.ts';

/** The records with one value in a column. */
interface EqualRecords {
  /** texts as they are; others as stored in the column's index */
  readonly value: ColumnValue;
  readonly count: number;
  /** the lowest id among them */
  readonly first: number;
}

/** How many values one statement reads. */
const VALUE_BATCH_SIZE = 4_000;

interface Row {
  readonly sortValue: ColumnValue;
  readonly count: number;
  readonly first: number;
  readonly ids: string | null;
}

/**
 * Reads each distinct value of a column from its index, in order, records without a value last. Records are read only
 * if their texts are longer than their keys.
 * @param members the ids of the records that count; null: all
 */
export async function* indexValues(
  db: Transaction,
  collection: Collection,
  column: ListColumn,
  members: IdList | null,
): AsyncGenerator<readonly EqualRecords[]> {
  const source = sourceOf(db, collection, column);
  const expression = sortExpression(source);
  const table = tableByIndex(collection, source.index);
  const isMember = members && membershipTest(members);
  const read = async (where: RawBuilder<unknown>, by: RawBuilder<unknown>) => {
    // The minimum of equal keys is taken from the index; the key itself would be computed from the record, as would an
    // order by it. Groups that are adjacent in an index come in its order.
    const { rows } = await sql<Row>`
      select min(${by}) as "sortValue", count(*) as count, min(_id) as first, ${isMember ? sql`group_concat(_id)` : sql`null`} as ids
      from ${table} where ${where} group by ${by} limit ${VALUE_BATCH_SIZE}`.execute(db.k);
    return rows;
  };
  let last: ColumnValue = null;
  for (;;) {
    const rows = await read(
      last === null ? sql`${expression} is not null` : sql`${expression} > ${last}`,
      expression,
    );
    const found: EqualRecords[] = [];
    for (const row of rows) {
      if (source.kind === 'text' && isLongKey(String(row.sortValue))) {
        const equal = sql`${expression} = ${row.sortValue}`;
        for (const text of await readLongTexts(db, table, source, equal, isMember !== null))
          add(found, isMember, text.sortValue, text);
      } else {
        const value = source.kind === 'text' ? textOfKey(String(row.sortValue)) : row.sortValue;
        add(found, isMember, value, row);
      }
    }
    yield found;
    last = rows.at(-1)?.sortValue ?? null;
    if (rows.length < VALUE_BATCH_SIZE) break;
    await yieldToEventLoop();
  }
  const without: EqualRecords[] = [];
  for (const row of await read(sql`${expression} is null`, expression))
    add(without, isMember, null, row);
  yield without;
}

function sortExpression(source: ColumnSource): RawBuilder<unknown> {
  return source.kind === 'text' ? source.key : sql.ref(source.column);
}

async function readLongTexts(
  db: Transaction,
  table: RawBuilder<unknown>,
  source: TextSource,
  where: RawBuilder<unknown>,
  withIds: boolean,
): Promise<readonly Row[]> {
  const [value, folded] = [sql.ref(source.value), sql.ref(source.fold)];
  const { rows } = await sql<Row>`
    select ${value} as "sortValue", count(*) as count, min(_id) as first, ${withIds ? sql`group_concat(_id)` : sql`null`} as ids
    from ${table} where ${where} group by ${folded}, ${value} order by ${folded}, ${value}`.execute(
    db.k,
  );
  return rows;
}

/** Merges the counts of records with equal values. */
function add(
  found: EqualRecords[],
  isMember: ((id: number) => boolean) | null,
  value: ColumnValue,
  row: Row,
): void {
  const { count, first, ids } = row;
  if (!isMember) found.push({ value, count, first });
  else if (count === 1) {
    if (isMember(first)) found.push({ value, count, first });
  } else {
    const members = filterIds(parseIds(ids, count), isMember);
    if (members.length > 0) found.push({ value, count: members.length, first: lowest(members) });
  }
}

function lowest(ids: IdList): number {
  let least = Infinity;
  for (const id of ids) if (id < least) least = id;
  return least;
}

/** The number of distinct values of a column in all records; the empty text does not count. */
export async function countIndexValues(
  db: Transaction,
  collection: Collection,
  column: ListColumn,
): Promise<number> {
  const source = sourceOf(db, collection, column);
  const expression = sortExpression(source);
  const table = tableByIndex(collection, source.index);
  const count = (grouped: RawBuilder<unknown>) => countRows(db, sql`(select 1 ${grouped})`);
  if (source.kind === 'plain')
    return count(sql`from ${table} where ${expression} is not null group by ${expression}`);
  const [value, isLong] = [sql.ref(source.value), longerThanKeySql(source)];
  const short = sql`from ${table} where ${expression} > ${sortKey('')} group by ${expression}
    having length(min(${expression})) < ${KEY_LENGTH}`;
  const long = sql`from ${sql.table(tableName(collection))} where ${isLong} group by ${value}`;
  return (await count(short)) + (await count(long));
}

/** Texts that their keys truncate have a separate index. */
function longerThanKeySql({ fieldNumber }: TextSource): RawBuilder<boolean> {
  return fieldNumber === null ? sql<boolean>`false` : longKeySql({ number: fieldNumber });
}
