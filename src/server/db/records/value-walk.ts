import { sql, type RawBuilder } from 'kysely';
import type { ListColumn } from '#shared/lists.ts';
import type { Thing } from './thing.ts';
import type { Db } from '../database.ts';
import { tableName, type Stored } from './columns.ts';
import { readNumbers, type IdSet } from './id-sets.ts';
import { isLongKey, keyExpression } from './sort-key.ts';
import { sourceOf, type Source } from './source.ts';

/** Records of one value in a column. */
export interface EqualRecords {
  /** texts as they are; others as the column's index holds them */
  readonly value: Stored;
  readonly count: number;
  /** the lowest id among them */
  readonly first: number;
}

/** How many values one statement reads. */
const VALUES_AT_ONCE = 4_000;

interface Row {
  readonly place: Stored;
  readonly count: number;
  readonly first: number;
  readonly ids: string | null;
}

/**
 * Follows the index of a column on SQLite and tells each value once, in their order, what has none last. No record
 * is looked at but those whose texts are longer than their keys.
 * @param members which records count; null: all
 */
export async function* walkValues(
  db: Db,
  thing: Thing,
  column: ListColumn,
  members: IdSet | null,
): AsyncGenerator<EqualRecords> {
  const source = sourceOf(db, thing, column);
  const place = placeIn(db, source);
  const table = sql`${sql.table(tableName(thing))} ${source.index === null ? sql`` : sql`indexed by ${sql.ref(source.index)}`}`;
  const read = async (where: RawBuilder<unknown>, by: RawBuilder<unknown>) => {
    // The least of equal places is taken from the index; the place as such would be computed from the record.
    const { rows } = await sql<Row>`
      select min(${by}) as place, count(*) as count, min(_id) as first, ${members ? sql`group_concat(_id)` : sql`null`} as ids
      from ${table} where ${where} group by ${by} order by ${by} limit ${VALUES_AT_ONCE}`.execute(
      db.k,
    );
    return rows;
  };
  let last: Stored = null;
  for (;;) {
    const rows = await read(
      last === null ? sql`${place} is not null` : sql`${place} > ${last}`,
      place,
    );
    for (const row of rows) {
      if (source.kind === 'text' && isLongKey(String(row.place))) {
        yield* longTexts(db, table, source, sql`${place} = ${row.place}`, members);
      } else {
        const value = source.kind === 'text' ? textOf(String(row.place)) : row.place;
        const found = among(members, value, row);
        if (found) yield found;
      }
    }
    last = rows.at(-1)?.place ?? null;
    if (rows.length < VALUES_AT_ONCE) break;
    await new Promise(setImmediate);
  }
  for (const row of await read(sql`${place} is null`, place)) {
    const found = among(members, null, row);
    if (found) yield found;
  }
}

function placeIn(db: Db, source: Source): RawBuilder<unknown> {
  return source.kind === 'text'
    ? keyExpression(db.dialect, source.fold, source.value)
    : sql.ref(source.column);
}

async function* longTexts(
  db: Db,
  table: RawBuilder<unknown>,
  source: Source & { kind: 'text' },
  where: RawBuilder<unknown>,
  members: IdSet | null,
): AsyncGenerator<EqualRecords> {
  const [value, folded] = [sql.ref(source.value), sql.ref(source.fold)];
  const { rows } = await sql<Row>`
    select ${value} as place, count(*) as count, min(_id) as first, ${members ? sql`group_concat(_id)` : sql`null`} as ids
    from ${table} where ${where} group by ${folded}, ${value} order by ${folded}, ${value}`.execute(
    db.k,
  );
  for (const row of rows) {
    const found = among(members, row.place, row);
    if (found) yield found;
  }
}

function among(members: IdSet | null, value: Stored, row: Row): EqualRecords | undefined {
  const { count, first, ids } = row;
  if (!members) return { value, count, first };
  const met = members.among(readNumbers(ids ?? '', count));
  return met.length === 0 ? undefined : { value, count: met.length, first: lowest(met) };
}

function lowest(ids: Float64Array): number {
  let least = Infinity;
  for (const id of ids) if (id < least) least = id;
  return least;
}

/** A key is the folded text, U+0001, the text; what else there is of U+0001 stands in both. */
export function textOf(key: string): string {
  const parts = key.split('\u0001');
  return parts.slice(parts.length / 2).join('\u0001');
}

/** How many values stand in a column, nothing and the empty text not among them, on SQLite. */
export async function countValuesInUse(
  db: Db,
  thing: Thing,
  column: ListColumn,
  members: IdSet | null,
): Promise<number> {
  let count = 0;
  for await (const { value } of walkValues(db, thing, column, members)) {
    if (value !== null && value !== '') count += 1;
  }
  return count;
}
