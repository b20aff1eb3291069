import { sql, type RawBuilder } from 'kysely';
import type { Scalar } from '#shared/values/values.ts';
import type { Transaction } from '../database.ts';
import type { Collection } from './collection.ts';
import { tableName, type Named } from './columns.ts';
import type { Sql } from './comparisons.ts';

/** Records whose fields change, grouped by the numbers of these fields. */
export interface ChangedFields {
  readonly ids: readonly number[];
  readonly numbers: readonly number[];
}

/** The exceptions of a record, newest first, without pairs whose other record is deleted. */
export function readExceptions(db: Transaction, collection: Named, record: number) {
  return db.k
    .selectFrom('check_exceptions')
    .select(['name', 'with_id', 'fields', 'reason', 'made_by', 'made_at'])
    .where('scope', '=', collection.kind)
    .where('thing_id', '=', collection.id)
    .where('row_id', '=', record)
    .where(hasOtherRecord(collection))
    .orderBy('made_at', 'desc')
    .orderBy('with_id')
    .execute();
}

/** Whether an exception is of no pair, or the other record of its pair exists: exceptions stay when records are deleted. */
export function hasOtherRecord(collection: Named): Sql {
  return sql<boolean>`(with_id = 0 or exists (
    select 1 from ${sql.table(tableName(collection))} as other where other._id = with_id))`;
}

/** Determines which fields change in which records. */
export function changedFields(
  { fields }: Collection,
  changes: readonly {
    readonly before: { readonly id: number; readonly values: readonly Scalar[] };
    readonly after: { readonly values: readonly Scalar[] };
  }[],
): ChangedFields[] {
  const byFields = new Map<string, { ids: number[]; numbers: number[] }>();
  for (const { before, after } of changes) {
    const numbers = fields.flatMap(({ number }, place) =>
      before.values[place] === after.values[place] ? [] : [number],
    );
    if (numbers.length === 0) continue;
    const known = byFields.get(numbers.join());
    if (known) known.ids.push(before.id);
    else byFields.set(numbers.join(), { ids: [before.id], numbers });
  }
  return [...byFields.values()];
}

/**
 * Whether an exception is about a field.
 * @param fields the column that lists the numbers of fields
 */
export function dependsOn(db: Transaction, fields: RawBuilder<unknown>, number: number): Sql {
  return db.adapter.contains(fields, `,${number},`);
}

/** Ends the exceptions of checks for records whose fields change. */
export async function endExceptions(
  db: Transaction,
  { kind, id }: Collection,
  changed: readonly ChangedFields[],
): Promise<void> {
  for (const { ids, numbers } of changed) {
    const touched = numbers.map((number) => dependsOn(db, sql.ref('fields'), number));
    await sql`delete from check_exceptions where scope = ${kind} and thing_id = ${id}
      and (row_id ${db.adapter.isAmong(ids)} or with_id ${db.adapter.isAmong(ids)})
      and (${sql.join(touched, sql` or `)})`.execute(db.k);
  }
}

/** Deletes the exceptions of records. */
export async function deleteExceptionsOf(
  db: Transaction,
  { kind, id }: Collection,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`delete from check_exceptions where scope = ${kind} and thing_id = ${id}
    and (row_id ${db.adapter.isAmong(ids)} or with_id ${db.adapter.isAmong(ids)})`.execute(db.k);
}

/** Copies the exceptions of a revision to a new one made from it, if the fields that they depend on are equal. */
export async function copyExceptions(
  db: Transaction,
  { kind, id }: Collection,
  from: number,
  to: number,
  changed: readonly ChangedFields[],
): Promise<void> {
  const numbers = changed.flatMap((one) => one.numbers);
  const untouched = numbers.map(
    (number) => sql`and not (${dependsOn(db, sql.ref('fields'), number)})`,
  );
  // Pairs of duplicates are stored under both records.
  const copies = [
    [sql`cast(${to} as bigint)`, sql`with_id`, sql`row_id = ${from}`],
    [sql`row_id`, sql`cast(${to} as bigint)`, sql`with_id = ${from}`],
  ] as const;
  for (const [row, other, isCopied] of copies) {
    await sql`insert into check_exceptions
        (scope, thing_id, row_id, name, with_id, fields, reason, made_by, made_at)
      select scope, thing_id, ${row}, name, ${other}, fields, reason, made_by, made_at
      from check_exceptions where scope = ${kind} and thing_id = ${id}
        and ${isCopied} ${sql.join(untouched, sql` `)}`.execute(db.k);
  }
}
