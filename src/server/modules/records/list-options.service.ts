import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { fromStored, tableName, valueColumn } from '#server/db/records/columns.ts';
import { allOf, conditionsOf, filterOf } from '#server/db/records/conditions.ts';
import { sourceOf } from '#server/db/records/source.ts';
import { fold } from '#shared/fold.ts';
import type { Scalar } from '#shared/values.ts';
import type { Thing } from '../definitions/stored-definition.ts';

const MAX_OPTIONS = 100;

export interface ListOption {
  readonly value: Scalar;
  /** how many records have it */
  readonly count: number;
}

/**
 * The values to choose from in a field: the definition's options, or the values in use, most used first, at
 * most 100 (interface decisions, section 6).
 * @param place the field's place in the definition
 * @param q a part that the value must contain, without regard to case and accents; '' for all
 */
export async function listOptions(
  db: Db,
  thing: Thing,
  place: number,
  q: string,
): Promise<ListOption[]> {
  const field = thing.fields[place];
  const column = thing.listColumns.find(
    ({ kind, name }) => kind === 'field' && name === field?.name,
  );
  if (!field || !column) return [];
  const source = sourceOf(db, thing, column);
  const value = sql.ref(valueColumn(field));
  const text = source.kind === 'text';
  const filter = filterOf(db, thing, {
    where: [
      { column, op: 'null', isNull: false },
      ...(text && q !== '' && !field.options
        ? [{ column, op: 'like' as const, folded: fold(q) }]
        : []),
    ],
    q: '',
  });
  // Other types are few or not typed in part: what matches is looked for below.
  const bound = text && !field.options ? sql`limit ${MAX_OPTIONS}` : sql``;
  const { rows } = await sql<{ value: unknown; count: number }>`
    select ${value} as value, count(*) as count from ${sql.table(tableName(thing))}
    where ${allOf(conditionsOf(thing, filter))} group by ${value} order by count desc, ${value} ${bound}`.execute(
    db.k,
  );
  const inUse = rows.map((row) => ({ value: fromStored(field, row.value), count: row.count }));
  const counts = new Map(inUse.map(({ value: used, count }) => [used, count]));
  const all =
    field.options?.map((option) => ({ value: option, count: counts.get(option) ?? 0 })) ?? inUse;
  const wanted = fold(q);
  return all.filter((option) => fold(String(option.value)).includes(wanted)).slice(0, MAX_OPTIONS);
}
