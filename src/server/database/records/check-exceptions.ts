import { sql } from 'kysely';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Transaction } from '../database.ts';
import { integerAt, textAt } from '../row-values.ts';
import type { Collection } from './collection.ts';
import { tableName, type CollectionRef } from './columns.ts';
import { anyOf, type Sql } from './comparisons.ts';
import { parametersOf } from './statement-parameters.ts';

/** In the history, the name of a change of an exception: this and the name of the check. */
export const EXCEPTION_PREFIX = 'checks.';

/** Records whose fields change, grouped by the numbers of these fields. */
export interface ChangedFields {
  readonly ids: readonly number[];
  readonly numbers: readonly number[];
}

/** The exceptions of a record, newest first, without pairs whose other record is deleted. */
export async function readExceptions(db: Transaction, collection: CollectionRef, record: number) {
  const { kind, id } = collection;
  const statement = {
    owner: readExceptions,
    name: tableName(collection),
    build: () => sql`select name, with_id, fields, reason, made_by, made_at
      from check_exceptions where scope = ${kind} and thing_id = ${id} and row_id = ${record}
        and ${hasOtherRecord(collection)} order by made_at desc, with_id`,
  };
  const rows = await db.run(statement, [kind, id, record]);
  return rows.map((row) => ({
    name: textAt(row, 0),
    with_id: integerAt(row, 1),
    fields: textAt(row, 2),
    reason: textAt(row, 3),
    made_by: textAt(row, 4),
    made_at: integerAt(row, 5),
  }));
}

/** An exception of a record from a check; those from pairs of duplicates are left out. */
export interface RecordException {
  readonly id: number;
  readonly name: string;
  /** the numbers of the fields that it is about */
  readonly numbers: readonly number[];
}

/** The exceptions of records from checks on single records. */
export async function exceptionsAmong(
  db: Transaction,
  { kind, id }: CollectionRef,
  ids: readonly number[],
): Promise<RecordException[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: number; name: string; fields: string }>`
    select row_id as id, name, fields from check_exceptions
    where scope = ${kind} and thing_id = ${id} and with_id = 0
      and row_id ${db.adapter.isAmong(ids)}`.execute(db.k);
  return rows.map(({ fields, ...row }) => ({ ...row, numbers: fieldNumbers(fields) }));
}

/**
 * Whether an exception of a record from a check is one from a part of it. `notExceptedSql` in `check-conditions.ts` is the
 * same as SQL.
 * @param fields the numbers of the fields that it must be about (`exceptedFields`)
 */
export function isException({ numbers }: RecordException, fields: readonly number[]): boolean {
  return fields.every((number) => numbers.includes(number));
}

/** The numbers of fields in the column that lists them. */
export function fieldNumbers(fields: string): number[] {
  return fields.split(',').flatMap((number) => (number === '' ? [] : Number(number)));
}

/** Whether an exception is of no pair, or the other record of its pair exists: exceptions stay when records are deleted. */
export function hasOtherRecord(collection: CollectionRef): Sql {
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
    const numbers: number[] = [];
    fields.forEach(({ number }, index) => {
      if (before.values[index] !== after.values[index]) numbers.push(number);
    });
    if (numbers.length === 0) continue;
    const known = byFields.get(numbers.join());
    if (known) known.ids.push(before.id);
    else byFields.set(numbers.join(), { ids: [before.id], numbers });
  }
  return [...byFields.values()];
}

/**
 * Whether an exception is about a field. The number is part of the text: a pattern as a parameter would make SQLite
 * plan the statement again for each execution.
 * @param fields the column that lists the numbers of fields
 */
export function dependsOn(fields: string, number: number): Sql {
  return sql<boolean>`${sql.ref(fields)} like ${sql.lit(`%,${number},%`)}`;
}

/** Ends the exceptions of checks for records whose fields change. */
export async function endExceptions(
  db: Transaction,
  { kind, id }: Collection,
  changed: readonly ChangedFields[],
): Promise<void> {
  for (const { ids, numbers } of changed) {
    const isOne = ids.length === 1;
    const isListed = isOne ? sql`= ${0}` : db.adapter.isAmong(ids);
    const statement = {
      owner: endExceptions,
      name: `${isOne ? 'one' : 'many'} ${numbers.join()}`,
      build: () => sql`delete from check_exceptions where scope = ${kind} and thing_id = ${id}
        and (row_id ${isListed} or with_id ${isListed})
        and ${anyOf(numbers.map((number) => dependsOn('fields', number)))}`,
    };
    const parameters = isOne ? ids : parametersOf(db, isListed);
    await db.send(statement, [kind, id, ...parameters, ...parameters]);
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
  const isUnaffected = numbers.map((number) => sql`and not ${dependsOn('fields', number)}`);
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
        and ${isCopied} ${sql.join(isUnaffected, sql` `)}`.execute(db.k);
  }
}
