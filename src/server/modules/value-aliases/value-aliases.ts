import * as texts from '#messages/service/value-cleanup.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { keywordFieldOf } from '#server/database/records/keyword-conditions.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { BulkEdit } from '#shared/rules/bulk-edits.ts';
import { findByName } from '#shared/rules/names.ts';
import { replaceKeywords } from '#shared/values/keywords.ts';
import type { Scalar } from '#shared/values/values.ts';

/* Aliases: values that a correction has replaced, and that imports and pastes replace from then on. */

/** The maximum length of an alias, because an index contains it. */
const MAX_LENGTH = 500;

type Owner = Pick<Collection, 'kind' | 'id'>;

/** An alias and its correct value. */
interface ValueAlias {
  readonly id: number;
  readonly alias: string;
  readonly value: string;
  /** milliseconds since 1970 UTC */
  readonly createdAt: number;
  readonly createdBy: string;
}

/** By the number of the field, then by alias: the correct value. */
export type AliasesByField = ReadonlyMap<number, ReadonlyMap<string, string>>;

/** The aliases of a field, in the order of the correct values. */
export async function listAliases(
  db: Transaction,
  { kind, id }: Owner,
  field: number,
): Promise<ValueAlias[]> {
  const rows = await db.k
    .selectFrom('value_aliases')
    .select(['id', 'alias', 'value', 'created_at', 'created_by'])
    .where('scope', '=', kind)
    .where('thing_id', '=', id)
    .where('field', '=', field)
    .orderBy('value')
    .orderBy('alias')
    .execute();
  return rows.map(({ created_at: createdAt, created_by: createdBy, ...row }) => ({
    ...row,
    createdAt,
    createdBy,
  }));
}

/** Deletes an alias; a missing one is not an error. */
export async function deleteAlias(
  db: Transaction,
  { kind, id }: Owner,
  field: number,
  aliasId: number,
): Promise<void> {
  await db.k
    .deleteFrom('value_aliases')
    .where('scope', '=', kind)
    .where('thing_id', '=', id)
    .where('field', '=', field)
    .where('id', '=', aliasId)
    .execute();
}

/**
 * Stores the corrections of a bulk edit that is about to be applied as aliases, if requested. Aliases of a value that
 * is itself corrected become aliases of the new value; the new values stop being aliases.
 */
export async function storeAliasesOfBulkEdit(
  db: Transaction,
  collection: Collection,
  bulkEdit: {
    readonly id: number;
    readonly ownerName: string;
    readonly edits: readonly BulkEdit[];
  },
): Promise<void> {
  const { kind, id } = collection;
  for (const edit of bulkEdit.edits) {
    if (edit.do !== 'replaceValues' || edit.remember !== true) continue;
    const { number: field } =
      keywordFieldOf(collection, edit.field) ??
      findByName<Collection['fields'][number]>(collection.fields, edit.field) ??
      {};
    if (field === undefined) continue;
    for (const { from, to } of edit.replacements) {
      if (from.length > MAX_LENGTH) continue;
      const known = db.k
        .updateTable('value_aliases')
        .where('scope', '=', kind)
        .where('thing_id', '=', id)
        .where('field', '=', field);
      await known.set({ value: to }).where('value', '=', from).execute();
      await db.k
        .deleteFrom('value_aliases')
        .where('scope', '=', kind)
        .where('thing_id', '=', id)
        .where('field', '=', field)
        .where('alias', 'in', [from, to])
        .execute();
      await db.k
        .insertInto('value_aliases')
        .values({
          scope: kind,
          thing_id: id,
          field,
          alias: from,
          value: to,
          bulk_edit_id: bulkEdit.id,
          created_at: Date.now(),
          created_by: bulkEdit.ownerName,
        })
        .execute();
    }
  }
}

/** Deletes the aliases of a reverted bulk edit. */
export async function deleteAliasesOfBulkEdit(db: Transaction, bulkEditId: number): Promise<void> {
  await db.k.deleteFrom('value_aliases').where('bulk_edit_id', '=', bulkEditId).execute();
}

/** All aliases of an archive or table, for an import. */
export async function readAliases(db: Transaction, { kind, id }: Owner): Promise<AliasesByField> {
  const rows = await db.k
    .selectFrom('value_aliases')
    .select(['field', 'alias', 'value'])
    .where('scope', '=', kind)
    .where('thing_id', '=', id)
    .execute();
  return new Map(
    [...Map.groupBy(rows, ({ field }) => field)].map(([field, all]) => [
      field,
      new Map(all.map(({ alias, value }) => [alias, value])),
    ]),
  );
}

/** The values and keywords of a record, or those that change, by their position in the definition. */
interface ValuesByFieldIndex {
  readonly values: ReadonlyMap<number, Scalar>;
  readonly keywords: ReadonlyMap<number, readonly string[]>;
}

/**
 * Replaces values that are aliases.
 * @returns also a sentence for each replaced value that differs from the current one
 */
export function correctValues(
  { fields, keywordFields }: Collection,
  aliases: AliasesByField,
  { values, keywords }: ValuesByFieldIndex,
  current: Pick<StoredRecord, 'values' | 'keywords'>,
): ValuesByFieldIndex & { readonly notes: readonly string[] } {
  const corrected = { values: new Map(values), keywords: new Map(keywords) };
  const notes: string[] = [];
  const note = ({ label, name }: { label: string; name: string }, from: string, to: string) =>
    notes.push(texts.corrected({ label: label.trim() === '' ? name : label, from, to }));
  for (const [index, value] of values) {
    const field = fields[index];
    const right =
      typeof value === 'string' && field ? aliases.get(field.number)?.get(value) : undefined;
    if (right === undefined || !field || typeof value !== 'string') continue;
    corrected.values.set(index, right);
    if (current.values[index] !== right) note(field, value, right);
  }
  for (const [index, list] of keywords) {
    const field = keywordFields[index];
    const known = field && aliases.get(field.number);
    if (!known) continue;
    corrected.keywords.set(index, replaceKeywords(list, known));
    for (const value of list) {
      const right = known.get(value);
      if (right !== undefined && !current.keywords[index]?.includes(right)) {
        note(field, value, right);
      }
    }
  }
  return { ...corrected, notes };
}
