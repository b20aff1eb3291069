import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { unrestricted } from '#server/database/records/collection-view.ts';
import type { Outcome } from '#shared/contract/bulk-edit-answers.ts';
import type { BulkEdit } from '#shared/rules/bulk-edits.ts';
import { nameKey } from '#shared/rules/names.ts';
import { keywordChangeName } from '../history/history.service.ts';
import { readRevisions, type StoredBulkEdit, type StoredRow } from './bulk-edits.store.ts';

/** The numbers that fields had by their names in lower case; of keyword fields by `keyword.NAME`. */
export type PlannedFields = Readonly<Record<string, number>>;

/** The fields of an archive or table, for a plan that names them. */
export function plannedFields(collection: Collection): PlannedFields {
  const { fields, keywordFields } = unrestricted(collection);
  return Object.fromEntries([
    ...fields.map(({ name, number }) => [nameKey(name), number] as const),
    ...keywordFields.map(({ name, number }) => [nameKey(keywordChangeName(name)), number] as const),
  ]);
}

/** The name that a field of a plan has today; null: it was retired, converted or purged. */
function presentName(
  collection: Collection,
  { fields: planned }: Pick<StoredBulkEdit, 'fields'>,
  name: string,
): string | null {
  const number = planned?.[nameKey(name)];
  // Plans of older versions have no numbers.
  if (number === undefined) return name;
  const { fields, keywordFields } = unrestricted(collection);
  const field = fields.find((one) => one.number === number);
  if (field) return field.name;
  const keyword = keywordFields.find((one) => one.number === number);
  return keyword ? keywordChangeName(keyword.name) : null;
}

/** A row under the names that fields have today. */
export interface PresentRow extends StoredRow {
  /** the fields that the row changes and that do not exist any more, under their former names */
  readonly missing: readonly string[];
}

/** A row of a plan under the names that fields have today, without changes of fields that do not exist any more. */
function presentRow(
  collection: Collection,
  bulkEdit: Pick<StoredBulkEdit, 'fields'>,
  row: StoredRow,
): PresentRow {
  const missing: string[] = [];
  const rename = <Change extends { readonly name: string }>(changes: readonly Change[]) =>
    changes.flatMap((change) => {
      const name = presentName(collection, bulkEdit, change.name);
      if (name === null) missing.push(change.name);
      return name === null ? [] : [{ ...change, name }];
    });
  const changes = rename(row.changes);
  const keywordChanges = row.keywordChanges && rename(row.keywordChanges);
  return { ...row, changes, ...(keywordChanges && { keywordChanges }), missing };
}

/** An edit under the names that fields have today; null: a field of it does not exist any more. */
export function presentEdit<Edit extends BulkEdit>(
  collection: Collection,
  bulkEdit: Pick<StoredBulkEdit, 'fields'>,
  edit: Edit,
): Edit | null {
  const field = presentName(collection, bulkEdit, edit.field);
  if (field === null) return null;
  if (!('from' in edit) || edit.from === null) return { ...edit, field };
  const from = presentName(collection, bulkEdit, edit.from);
  return from === null ? null : { ...edit, field, from };
}

/** `readRevisions`, under the names that fields have today. */
export async function readPresentRows(
  db: Transaction,
  collection: Collection,
  bulkEdit: Pick<StoredBulkEdit, 'id' | 'fields'>,
  outcome: Outcome | null,
  after: number,
  limit: number,
  bytes: number,
): Promise<{ readonly rows: readonly PresentRow[]; readonly cut: boolean }> {
  const { rows, cut } = await readRevisions(db, bulkEdit.id, outcome, after, limit, bytes);
  return { rows: rows.map((row) => presentRow(collection, bulkEdit, row)), cut };
}
