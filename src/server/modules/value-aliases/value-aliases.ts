import type { Insertable, Selectable } from 'kysely';
import * as texts from '#messages/service/value-cleanup.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { isWritable } from '#server/database/records/collection-view.ts';
import { keywordFieldOf } from '#server/database/records/keyword-conditions.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { ValueCorrectionRow } from '#server/database/tables/workspace-tables.ts';
import type { BulkEdit } from '#shared/rules/bulk-edits.ts';
import { findByName } from '#shared/rules/names.ts';
import { compareCodePoints } from '#shared/values/code-points.ts';
import { replaceKeywords } from '#shared/values/keywords.ts';
import { isText } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';

/* Aliases: values that a correction has replaced, and that imports and pastes replace from then on. What is stored are
   the corrections in their order. A revert deletes those of its bulk edit: the aliases follow from the remaining ones. */

/** The maximum length of an alias, because an import holds all in memory. */
const MAX_LENGTH = 500;
/** How many corrections of a field are stored, for the same reason: the newest. */
const MAX_CORRECTIONS = 10_000;

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
  owner: Owner,
  field: number,
): Promise<ValueAlias[]> {
  const corrections = await correctionsOf(db, owner).where('field', '=', field).execute();
  return aliasesOf(corrections).toSorted(
    (one, other) =>
      compareCodePoints(one.value, other.value) || compareCodePoints(one.alias, other.alias),
  );
}

/**
 * Deletes an alias; a missing one is not an error.
 * @param deletedBy the name of the user
 */
export async function deleteAlias(
  db: Transaction,
  owner: Owner,
  field: number,
  aliasId: number,
  deletedBy: string,
): Promise<void> {
  const aliases = await listAliases(db, owner, field);
  const found = aliases.find(({ id }) => id === aliasId);
  if (!found) return;
  // If its correction was deleted instead, aliases that it had changed would be as before.
  const deletion = { field, alias: found.alias, value: null, bulk_edit_id: null };
  await insertCorrection(db, owner, { ...deletion, created_by: deletedBy });
  await deleteOldest(db, owner, field);
}

async function insertCorrection(
  db: Transaction,
  { kind, id }: Owner,
  correction: Pick<
    Insertable<ValueCorrectionRow>,
    'field' | 'alias' | 'value' | 'bulk_edit_id' | 'created_by'
  >,
): Promise<void> {
  await db.k
    .insertInto('value_corrections')
    .values({ scope: kind, thing_id: id, ...correction, created_at: Date.now() })
    .execute();
}

/**
 * Stores the corrections of a bulk edit that is about to be applied as aliases, if requested. Aliases of a value that
 * is itself corrected become aliases of the new value; the new values stop being aliases. Fields that the user may only
 * read by now are left out.
 * @param collection as visible to the user
 * @param bulkEdit its edits have the present names of fields
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
  for (const edit of bulkEdit.edits) {
    if (edit.do !== 'replaceValues' || edit.remember !== true) continue;
    const field =
      keywordFieldOf(collection, edit.field) ?? findByName(collection.fields, edit.field);
    if (!field || !isWritable(collection, field)) continue;
    for (const { from, to } of edit.replacements) {
      if (from.length > MAX_LENGTH) continue;
      await insertCorrection(db, collection, {
        field: field.number,
        alias: from,
        value: to,
        bulk_edit_id: bulkEdit.id,
        created_by: bulkEdit.ownerName,
      });
    }
    await deleteOldest(db, collection, field.number);
  }
}

/**
 * Deletes the oldest corrections of a field beyond the limit, with the aliases that they made. Other aliases stay as they
 * are: a correction changes only those of older ones.
 */
async function deleteOldest(db: Transaction, owner: Owner, field: number): Promise<void> {
  const newestDeleted = await correctionsOf(db, owner)
    .where('field', '=', field)
    .clearOrderBy()
    .orderBy('id', 'desc')
    .offset(MAX_CORRECTIONS)
    .limit(1)
    .executeTakeFirst();
  if (!newestDeleted) return;
  await db.k
    .deleteFrom('value_corrections')
    .where('scope', '=', owner.kind)
    .where('thing_id', '=', owner.id)
    .where('field', '=', field)
    .where('id', '<=', newestDeleted.id)
    .execute();
}

/** Deletes the corrections of a reverted bulk edit; the aliases that they changed are as before. */
export async function deleteAliasesOfBulkEdit(db: Transaction, bulkEditId: number): Promise<void> {
  await db.k.deleteFrom('value_corrections').where('bulk_edit_id', '=', bulkEditId).execute();
}

/** The corrections of a converted field are of the field with the converted values: it may become a text again. */
export async function moveAliases(
  db: Transaction,
  { kind, id }: Owner,
  from: number,
  to: number,
): Promise<void> {
  await db.k
    .updateTable('value_corrections')
    .set({ field: to })
    .where('scope', '=', kind)
    .where('thing_id', '=', id)
    .where('field', '=', from)
    .execute();
}

/** All aliases of an archive or table, for an import. */
export async function readAliases(db: Transaction, owner: Owner): Promise<AliasesByField> {
  const rows = await correctionsOf(db, owner).execute();
  return new Map(
    [...Map.groupBy(rows, ({ field }) => field)].map(([field, corrections]) => [
      field,
      new Map(aliasesOf(corrections).map(({ alias, value }) => [alias, value])),
    ]),
  );
}

function correctionsOf(db: Transaction, { kind, id }: Owner) {
  return db.k
    .selectFrom('value_corrections')
    .select(['id', 'field', 'alias', 'value', 'created_at', 'created_by'])
    .where('scope', '=', kind)
    .where('thing_id', '=', id)
    .orderBy('id');
}

/** The aliases of one value. */
interface AliasGroup {
  value: string;
  readonly members: Set<string>;
}

/**
 * The aliases that the corrections of a field result in.
 * @param corrections in their order
 */
function aliasesOf(
  corrections: readonly Pick<
    Selectable<ValueCorrectionRow>,
    'id' | 'alias' | 'value' | 'created_at' | 'created_by'
  >[],
): ValueAlias[] {
  /** by alias */
  const entries = new Map<string, Omit<ValueAlias, 'value'> & { group: AliasGroup }>();
  /** by value */
  const groups = new Map<string, AliasGroup>();
  const remove = (alias: string) => {
    entries.get(alias)?.group.members.delete(alias);
    entries.delete(alias);
  };
  /** Gives all aliases of one value another; a larger group is renamed, because moving its members takes longer. */
  const moveAll = (from: string, value: string) => {
    const moved = groups.get(from);
    if (!moved || from === value) return;
    groups.delete(from);
    const other = groups.get(value) ?? { value, members: new Set<string>() };
    const [small, large] =
      moved.members.size < other.members.size ? [moved, other] : [other, moved];
    large.value = value;
    groups.set(value, large);
    for (const alias of small.members) {
      const entry = entries.get(alias);
      if (entry) entry.group = large;
      large.members.add(alias);
    }
  };
  for (const { id, alias, value, created_at: createdAt, created_by: createdBy } of corrections) {
    if (value === null) {
      remove(alias);
      continue;
    }
    moveAll(alias, value);
    remove(value);
    remove(alias);
    const group = groups.get(value) ?? { value, members: new Set<string>() };
    groups.set(value, group);
    group.members.add(alias);
    entries.set(alias, { id, alias, createdAt, createdBy, group });
  }
  return [...entries.values()].map(({ group: { value }, ...entry }) => ({ ...entry, value }));
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
    if (!field || !isText(field) || typeof value !== 'string') continue;
    const right = aliases.get(field.number)?.get(value);
    if (right === undefined) continue;
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
