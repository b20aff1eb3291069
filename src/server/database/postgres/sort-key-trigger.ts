import { isText } from '#shared/values/registry.ts';
import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../database.ts';
import { foldColumn, keyColumn, valueColumn, type StoredField } from '../records/columns.ts';
import { KEY_LENGTH } from '../records/sort-key.ts';

/* PostgreSQL uses an index-only scan only if the index consists of columns, not of an expression; so the sort keys
   of texts are columns. They are plain columns that a trigger writes: to add a generated column PostgreSQL rewrites
   the whole table under a lock that blocks everyone (docs/decisions/0020-adding-fields-to-large-tables.md). */

const LENGTH = sql.lit(KEY_LENGTH);

/** `Adapter.sortKeyOf` */
export function keyExpression(
  folded: RawBuilder<unknown>,
  text: RawBuilder<unknown>,
): RawBuilder<string | null> {
  return sql`(case when length(${folded}) > ${LENGTH} then left(${folded}, ${LENGTH}) || chr(1114111) else left(${folded}, ${LENGTH}) || chr(1) || left(${text}, ${LENGTH}) end)`;
}

/** The declaration of the column with the key of a text field. */
export function keyDeclaration(field: Pick<StoredField, 'number'>): RawBuilder<unknown> {
  return sql`${sql.ref(keyColumn(field))} text collate "C"`;
}

/** Drops the function of `createSortKeyTrigger`, which remains after its table is dropped. */
export async function dropSortKeyFunction(db: Transaction, table: string): Promise<void> {
  await sql`drop function if exists ${sql.ref(`${table}_sort_keys`)}()`.execute(db.k);
}

/**
 * Creates the trigger that writes the sort keys of a record table, or replaces it after fields were added. Without text
 * fields there is no trigger.
 * @param fields all fields of the table
 */
export async function createSortKeyTrigger(
  db: Transaction,
  table: string,
  fields: readonly StoredField[],
): Promise<void> {
  const texts = fields.filter(isText);
  const name = sql.ref(`${table}_sort_keys`);
  if (texts.length === 0) {
    await sql`drop trigger if exists ${name} on ${sql.table(table)}`.execute(db.k);
    return;
  }
  const assignments = texts.map((field) => {
    const key = keyExpression(sql.id('new', foldColumn(field)), sql.id('new', valueColumn(field)));
    return sql`new.${sql.ref(keyColumn(field))} := ${key};`;
  });
  await sql`create or replace function ${name}() returns trigger language plpgsql as $keys$
    begin ${sql.join(assignments, sql` `)} return new; end $keys$`.execute(db.k);
  const written = texts.flatMap((field) => [valueColumn(field), foldColumn(field)]);
  await sql`create or replace trigger ${name} before insert or update of
    ${sql.join(written.map((column) => sql.ref(column)))}
    on ${sql.table(table)} for each row execute function ${name}()`.execute(db.k);
}
