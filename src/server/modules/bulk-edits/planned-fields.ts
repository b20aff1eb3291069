import type { Database, Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { fullCollectionOf } from '#server/database/records/collection-view.ts';
import type { Outcome } from '#shared/contract/bulk-edit-answers.ts';
import { nameKey, keywordFieldName } from '#shared/rules/names.ts';
import type { StoredBulkEdit } from './bulk-edits.store.ts';
import { readPlannedRows, type StoredRow, type RowsWanted } from './planned-rows.store.ts';

/** The numbers that fields had by their names in lower case; of keyword fields by `keyword.NAME`. */
type PlannedFields = Readonly<Record<string, number>>;

/**
 * The numbers of the fields of an archive or table, for storing with a plan.
 * @param collection as visible to the user who plans: what the plan says is not about hidden fields
 */
export function plannedFields({ fields, keywordFields }: Collection): PlannedFields {
  return Object.fromEntries([
    ...fields.map(({ name, number }) => [nameKey(name), number] as const),
    ...keywordFields.map(({ name, number }) => [nameKey(keywordFieldName(name)), number] as const),
  ]);
}

/**
 * Tests whether a field existed when a plan was made, and was visible to the user who made it.
 * @returns always true for plans of older versions: they have no numbers, or those of all fields
 */
export function knownFields({
  fields: planned,
}: Pick<StoredBulkEdit, 'fields'>): (field: PlannedField) => boolean {
  const numbers = planned && new Set(Object.values(planned));
  return ({ number, formerNumbers }) =>
    !numbers || [number, ...formerNumbers].some((one) => numbers.has(one));
}

type PlannedField = Pick<Collection['fields'][number], 'number' | 'formerNumbers'>;

/** The present name of a plan's field; null: it was retired, converted or purged. */
export function currentName(
  collection: Collection,
  { fields: planned }: Pick<StoredBulkEdit, 'fields'>,
  name: string,
): string | null {
  const number = planned?.[nameKey(name)];
  // Plans of older versions have no numbers.
  if (number === undefined) return name;
  const { fields, keywordFields } = fullCollectionOf(collection);
  const field = fields.find((stored) => stored.number === number);
  if (field) return field.name;
  const keyword = keywordFields.find((stored) => stored.number === number);
  return keyword ? keywordFieldName(keyword.name) : null;
}

/** A row with the present names of fields. */
export interface CurrentRow extends StoredRow {
  /** changed fields that no longer exist, by their former names */
  readonly missing: readonly string[];
}

/** A row of a plan with the present names of fields, without changes and cells of fields that no longer exist. */
function toCurrentRow(
  collection: Collection,
  bulkEdit: Pick<StoredBulkEdit, 'fields'>,
  row: StoredRow,
): CurrentRow {
  const missing: string[] = [];
  const rename = <Change extends { readonly name: string }>(changes: readonly Change[]) =>
    changes.flatMap((change) => {
      const name = currentName(collection, bulkEdit, change.name);
      if (name === null) missing.push(change.name);
      return name === null ? [] : [{ ...change, name }];
    });
  const changes = rename(row.changes);
  const keywordChanges = rename(row.keywordChanges);
  const refused = row.refused && {
    ...row.refused,
    cells: row.refused.cells.flatMap((cell) => {
      if (cell.field === null) return [cell];
      const field = currentName(collection, bulkEdit, cell.field);
      return field === null ? [] : [{ ...cell, field }];
    }),
  };
  return { ...row, changes, keywordChanges, refused, missing };
}

/** Rows that are read together, and bytes of their changes. */
const PAGE_SIZE = 500;
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** All rows of a plan with these outcomes, in the order of the outcomes, with the present names of fields. */
export async function* iterateCurrentRows(
  database: Database,
  collection: Collection,
  bulkEdit: Pick<StoredBulkEdit, 'id' | 'fields'>,
  outcomes: readonly Outcome[],
): AsyncGenerator<CurrentRow> {
  for (const outcome of outcomes) {
    for (let after = -1; ;) {
      const { rows } = await database.read((db) =>
        readCurrentRows(db, collection, bulkEdit, {
          outcome,
          after,
          order: 'asc',
          limit: PAGE_SIZE,
          bytes: MAX_PAGE_BYTES,
        }),
      );
      const last = rows.at(-1);
      if (!last) break;
      after = last.position;
      yield* rows;
    }
  }
}

/** `readPlannedRows`, with the present names of fields. */
export async function readCurrentRows(
  db: Transaction,
  collection: Collection,
  bulkEdit: Pick<StoredBulkEdit, 'id' | 'fields'>,
  wanted: RowsWanted,
): Promise<{ readonly rows: readonly CurrentRow[]; readonly isTruncated: boolean }> {
  const { rows, isTruncated } = await readPlannedRows(db, bulkEdit.id, wanted);
  return { rows: rows.map((row) => toCurrentRow(collection, bulkEdit, row)), isTruncated };
}
