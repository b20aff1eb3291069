import * as texts from '#messages/service/merges.ts';
import type { Transaction } from '#server/database/database.ts';
import { chunks } from '#server/database/records/bulk-statements.ts';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import type { Collection, Table } from '#server/database/records/collection.ts';
import { fullCollectionOf, isWritable } from '#server/database/records/collection-view.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import { convertLookupValue } from '#shared/checks/lookup-value.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { MAX_MERGE_REFERENCES } from '#shared/rules/limits.ts';
import { findByName, indexOfName, isSameName } from '#shared/rules/names.ts';
import { allows } from '#shared/rules/rights.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import { findRecordsWithValues, findIdsWithValues } from '../records/unique-columns.ts';
import { visibleTo, type RightsSubject } from '../rights/rights.service.ts';

/** Records that look up values of merged records in one field. */
export interface References {
  /** as visible to the caller */
  readonly collection: Collection;
  readonly field: { readonly name: string; readonly label: string };
  readonly from: readonly Scalar[];
  readonly to: Scalar;
  readonly ids: readonly number[];
}

/** The records of a merge: `after` are the values of the remaining one. */
export interface MergedRecords {
  readonly keep: StoredRecord;
  readonly merged: readonly StoredRecord[];
  /** of all columns of the table */
  readonly after: readonly Scalar[];
}

type Field = Collection['fields'][number];

/**
 * Finds the records in all archives and tables whose look-ups have a value that only the merged records have.
 * @param table as visible to the caller
 * @throws {ApiError} 403 if the caller may not change one of them, or not see what it looks up; 422 if there are too many, or the new value is
 * missing
 */
export async function findReferences(
  db: Transaction,
  definitions: Definitions,
  person: RightsSubject,
  table: Table,
  records: MergedRecords,
): Promise<References[]> {
  const fullCollection = fullCollectionOf(table);
  const found: References[] = [];
  let count = 0;
  for (const known of [...(await definitions.archives(db)), ...(await definitions.tables(db))]) {
    if (!known.fields.some((field) => lookupInto(table, field))) continue;
    // In a write this locks the definition, so that no job converts look-ups between here and their change.
    const other = await definitions.findById(db, known.kind, known.id);
    if (!other) continue;
    for (const field of other.fields) {
      const replaced = await replacedValues(db, fullCollection, field, records);
      if (!replaced) continue;
      const lookup = { collection: other, field, values: replaced.from };
      const ids = await findReferencingIds(db, fullCollection, lookup, records);
      if (ids.length === 0) continue;
      count += ids.length;
      // The records would show a value of the hidden column.
      if (!findByName(table.fields, replaced.column)) {
        throw new ApiError('forbidden', texts.referencesForbidden);
      }
      const collection = await requireChangeable(db, person, other, field);
      const about = { of: other.label, field: field.label };
      if (count > MAX_MERGE_REFERENCES) {
        const max = MAX_MERGE_REFERENCES;
        throw new ApiError('validation_failed', texts.tooManyReferences({ ...about, max }));
      }
      if (isEmpty(replaced.to)) {
        const needed = texts.valueNeeded({ ...about, count: ids.length });
        throw new ApiError('validation_failed', { [`values.${replaced.column}`]: [needed] });
      }
      found.push({ collection, field, ids, ...replaced });
    }
  }
  return found;
}

/** The look-up of a field, if it is in this table. */
function lookupInto({ name }: Table, { optionsFrom }: Field): Field['optionsFrom'] {
  return optionsFrom && isSameName(optionsFrom.table, name) ? optionsFrom : null;
}

const isEmpty = (value: Scalar | undefined) =>
  value === null || value === undefined || value === '';

/** The values of a column that no record has after the merge; null: the field does not look them up. */
async function replacedValues(
  db: Transaction,
  fullCollection: Table,
  field: Field,
  { keep, merged, after }: MergedRecords,
): Promise<{ column: string; from: Scalar[]; to: Scalar } | null> {
  const lookup = lookupInto(fullCollection, field);
  if (!lookup) return null;
  const { type } = field;
  const index = indexOfName(fullCollection.fields, lookup.column);
  const column = fullCollection.fields[index];
  if (!column) return null;
  const to = after[index] ?? null;
  const before = [keep, ...merged].map(({ values }) => values[index] ?? null);
  const removed = [...new Set(before)].filter((value) => !isEmpty(value) && value !== to);
  const group = new Set([keep, ...merged].map(({ id }) => id));
  const from: Scalar[] = [];
  for (const value of removed) {
    // Another record still has it: look-ups may mean that one.
    const others = await findRecordsWithValues(
      db,
      fullCollection,
      index,
      [value],
      (id) => !group.has(id),
    );
    const looked =
      others.size === 0 ? (convertLookupValue(value, column.type, type) ?? null) : null;
    if (looked !== null) from.push(looked);
  }
  if (from.length === 0) return null;
  return { column: column.name, from, to: convertLookupValue(to, column.type, type) ?? null };
}

/** Values that a field looks up in the table of a merge. */
interface LookedUpValues {
  readonly collection: Collection;
  readonly field: Field;
  readonly values: readonly Scalar[];
}

async function findReferencingIds(
  db: Transaction,
  table: Table,
  { collection, field, values }: LookedUpValues,
  { keep, merged, after }: MergedRecords,
): Promise<number[]> {
  const isOwn = collection.kind === 'table' && collection.id === table.id;
  const removed = new Set(isOwn ? merged.map(({ id }) => id) : []);
  const found = await findIdsWithValues(db, collection, field, values);
  const ids = found.filter((id) => !removed.has(id));
  const index = indexOfName(collection.fields, field.name);
  const referencing: number[] = [];
  // Filters may match other spellings of the same value.
  for (const page of chunks(ids, PAGE)) {
    if (referencing.length > MAX_MERGE_REFERENCES) break;
    const records = await readRecords(db, collection, page);
    for (const { id, values: own } of records.values()) {
      // The merge itself may change the value of the remaining record.
      const now = isOwn && id === keep.id ? after : own;
      if (values.includes(now[index] ?? null)) referencing.push(id);
    }
    await yieldToEventLoop();
  }
  return referencing.toSorted((a, b) => a - b);
}

const PAGE = 500;

/** @throws {ApiError} 403, without naming anything that the user may not see */
async function requireChangeable(
  db: Transaction,
  person: RightsSubject,
  other: Collection,
  { name }: Field,
): Promise<Collection> {
  const visible = await visibleTo(db, person, other);
  const field = visible && findByName(visible.collection.fields, name);
  if (
    !visible ||
    !field ||
    !allows(visible.access, 'write') ||
    !isWritable(visible.collection, field)
  ) {
    throw new ApiError('forbidden', texts.referencesForbidden);
  }
  return visible.collection;
}
