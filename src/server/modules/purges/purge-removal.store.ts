import { sql } from 'kysely';
import * as texts from '#messages/service/definitions.ts';
import type { Transaction } from '#server/database/database.ts';
import { dependsOn } from '#server/database/records/check-exceptions.ts';
import { anyOf } from '#server/database/records/comparisons.ts';
import {
  keywordTable,
  tableName,
  type CollectionRef,
  type StoredField,
} from '#server/database/records/columns.ts';
import { clearFields } from '#server/database/records/clear-fields.ts';
import { readSearchTextsState, refreshSearchTexts } from '#server/database/records/search-texts.ts';
import type { Collection } from '#server/database/records/collection.ts';

/* What a purge removes of an archive or table besides its entries of the history. */

/** The id of the last of some records after an id; null: there are none. */
async function lastOf(
  db: Transaction,
  collection: CollectionRef,
  after: number,
  count: number,
): Promise<number | null> {
  const { rows } = await sql<{ last: number | null }>`select max(_id) as last from (
    select _id from ${sql.table(tableName(collection))} where _id > ${after} order by _id limit ${count}) as part`.execute(
    db.k,
  );
  return rows[0]?.last ?? null;
}

/** Removes the aliases of fields and keyword fields. @param numbers of the fields */
export async function removeAliases(
  db: Transaction,
  { kind, id }: CollectionRef,
  numbers: readonly number[],
): Promise<void> {
  await db.k
    .deleteFrom('value_corrections')
    .where('scope', '=', kind)
    .where('thing_id', '=', id)
    .where(sql<boolean>`field ${db.adapter.isAmong(numbers)}`)
    .execute();
}

/**
 * Removes the exceptions of built-in checks that are about one of these fields alone, and the reasons of those that are
 * about others too: they may quote values. Those of rules ended when the rule no longer named the field.
 */
export async function removeExceptions(
  db: Transaction,
  { kind, id }: CollectionRef,
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return;
  await db.k
    .deleteFrom('check_exceptions')
    .where('scope', '=', kind)
    .where('thing_id', '=', id)
    .where(
      'fields',
      'in',
      numbers.map((number) => `,${number},`),
    )
    .execute();
  await sql`update check_exceptions set reason = ${texts.reasonPurged}
    where scope = ${kind} and thing_id = ${id}
      and ${anyOf(numbers.map((number) => dependsOn('fields', number)))}`.execute(db.k);
}

/**
 * Removes the values of fields from some records, also from their search texts.
 * @param collection without the fields
 * @param keywords the numbers of keyword fields
 * @returns the id of the last of these records; null: there are none after the id
 */
export async function removeValues(
  db: Transaction,
  collection: Collection,
  { values, keywords }: { values: readonly StoredField[]; keywords: readonly number[] },
  after: number,
  count: number,
): Promise<number | null> {
  const last = await lastOf(db, collection, after, count);
  if (last === null) return null;
  const range = sql<boolean>`_id > ${after} and _id <= ${last}`;
  await clearFields(db, collection, values, range);
  if (keywords.length > 0) {
    await sql`delete from ${sql.table(keywordTable(collection))}
      where ${range} and field in (${sql.join(keywords)})`.execute(db.k);
  }
  // A job that failed may have left texts of the fields.
  if (!(await readSearchTextsState(db, collection)).isComplete) {
    const { rows } = await sql<{ id: number }>`
      select _id as id from ${sql.table(tableName(collection))} where ${range}`.execute(db.k);
    const ids = rows.map(({ id }) => id);
    await refreshSearchTexts(db, collection, ids);
  }
  return last;
}

/** Removes some records, so that dropping their table is fast. @returns whether there are more */
export async function removeRecords(
  db: Transaction,
  collection: CollectionRef,
  count: number,
): Promise<boolean> {
  const last = await lastOf(db, collection, Number.MIN_SAFE_INTEGER, count);
  if (last === null) return false;
  if (collection.kind === 'archive') {
    await sql`delete from ${sql.table(keywordTable(collection))} where _id <= ${last}`.execute(
      db.k,
    );
  }
  await sql`delete from ${sql.table(tableName(collection))} where _id <= ${last}`.execute(db.k);
  return true;
}

/** Removes some of the ledger of loaded rows. @returns whether there is more */
export async function removeLoadedRows(
  db: Transaction,
  { kind, id }: CollectionRef,
  count: number,
): Promise<boolean> {
  const some = sql`select source, digest, occurrence from loaded_rows
    where scope = ${kind} and thing_id = ${id} limit ${count}`;
  const { numAffectedRows = 0n } = await sql`delete from loaded_rows
    where scope = ${kind} and thing_id = ${id} and (source, digest, occurrence) in (${some})`.execute(
    db.k,
  );
  return numAffectedRows > 0n;
}

/** Removes users' data about an archive or table: queues, flags, views, exceptions of checks; the ledger of loaded files, and figures. */
export async function removeWorkspace(db: Transaction, { kind, id }: CollectionRef): Promise<void> {
  const tables = [
    'views',
    'last_views',
    'value_corrections',
    'check_exceptions',
    'loaded_files',
    'daily_findings',
    'daily_corrections',
  ] as const;
  for (const table of tables) {
    await db.k.deleteFrom(table).where('scope', '=', kind).where('thing_id', '=', id).execute();
  }
  if (kind === 'table') return;
  for (const table of ['queues', 'flags', 'page_misses'] as const) {
    await db.k.deleteFrom(table).where('archive_id', '=', id).execute();
  }
}

/** Refused rows as older versions of Indexdesk stored them: their columns may be those of any field. */
const CELLS_WITHOUT_FIELDS = sql`(revision.changes like '%"cells":[{%' and revision.changes not like '%"field":%')`;

/** A text as a part of a pattern whose escape character is `!`. */
function escaped(text: string): string {
  return text.replaceAll(/[!%_]/g, '!$&');
}

/**
 * Ends the batches of an archive or table that may hold purged values: they are removed as deleted ones.
 * @param purged the names and labels of the purged fields, and the imports with columns of these headers; null: all
 * @returns their ids, with those that an interrupted purge has left
 */
export async function markBulkEditsDeleted(
  db: Transaction,
  { kind, id }: CollectionRef,
  purged: { readonly names: readonly string[]; readonly imports: readonly number[] } | null,
): Promise<number[]> {
  const holds = ({ names, imports }: NonNullable<typeof purged>) => [
    sql`id ${db.adapter.isAmong(imports)}`,
    ...names.map((name) => {
      // In JSON the keys are not preceded by a colon. Messages quote values behind the label of their field.
      const pattern = `%:${escaped(JSON.stringify(name))}%`;
      const quoting = `%${escaped(name)}%“%`;
      return sql`edits like ${pattern} escape '!' or exists (select 1 from bulk_edit_revisions as revision
        where revision.bulk_edit_id = bulk_edits.id and (revision.changes like ${pattern} escape '!'
          or revision.message like ${quoting} escape '!' or ${CELLS_WITHOUT_FIELDS}))`;
    }),
  ];
  const isAffected = purged
    ? sql`and (state = 'deleted' or ${sql.join(holds(purged), sql` or `)})`
    : sql``;
  const { rows } = await sql<{ id: number }>`update bulk_edits set state = 'deleted'
    where scope = ${kind} and thing_id = ${id} ${isAffected} returning id`.execute(db.k);
  return rows.map((row) => row.id);
}
