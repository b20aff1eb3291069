import { fold } from '#shared/values/fold.ts';
import { type ValueType, valueType } from '#shared/values/registry.ts';
import type { ColumnKind, Scalar } from '#shared/values/value-type.ts';
import type { Collection } from './collection.ts';

/**
 * How the values of a record are laid out in its database table. Columns are named by the field's number, so that no
 * name of a definition ever has to be an identifier of the database: `fN` the value, `fN_fold` the folded text of a
 * text field, `fN_at` the number by which a date-time or time is compared; on PostgreSQL `fN_key` the sort key of a
 * text, which a trigger computes from the other two (`postgres/sort-key-trigger.ts`).
 */
export interface StoredField {
  readonly number: number;
  readonly type: ValueType;
}

/** The names of columns that no field uses begin with this (`RecordTables.removeColumns`). */
export const UNUSED_COLUMN_PREFIX = 'unused_';

/** The parts that the names of a collection's database tables consist of. */
export type CollectionRef = Pick<Collection, 'kind' | 'id'>;

/** The fields of an archive or table, or some of them. */
export interface TableFields extends CollectionRef {
  readonly fields: readonly StoredField[];
}

export function tableName(collection: CollectionRef): string {
  return `${collection.kind}_${collection.id}`;
}
export function keywordTable(collection: CollectionRef): string {
  return `${tableName(collection)}_keywords`;
}
/** Only on SQLite: the full-text table over the records' search texts. */
export function searchTable(collection: CollectionRef): string {
  return `${tableName(collection)}_search`;
}
/** A field whose type is already known. */
type Numbered = Pick<StoredField, 'number'>;

export function valueColumn(field: Numbered): string {
  return `f${field.number}`;
}
export function foldColumn(field: Numbered): string {
  return `f${field.number}_fold`;
}
/** Only on PostgreSQL; never written by the service. */
export function keyColumn(field: Numbered): string {
  return `f${field.number}_key`;
}
function numberColumn(field: StoredField): string {
  return `f${field.number}_at`;
}

/** The column by which values are compared, found and sorted; a text has additional columns. */
export function comparedColumn(field: StoredField): string {
  return valueType(field.type).comparison.by === 'number'
    ? numberColumn(field)
    : valueColumn(field);
}

type Columns = readonly (readonly [name: string, kind: ColumnKind])[];

/** What each record has beside its id, `_id`, and its values. */
export const META_COLUMNS: Columns = [
  ['_version', 'integer'],
  ['_created_at', 'integer'],
  ['_changed_at', 'integer'],
  ['_changed_by', 'text'],
  ['_changed_by_fold', 'text'],
  ['_search', 'text'],
];

/** What a revision has beside it: its place in its document, and its lock. */
export const DOCUMENT_COLUMNS: Columns = [
  ['_document_id', 'integer'],
  ['_revision', 'integer'],
  ['_locked_at', 'integer'],
  ['_locked_by', 'text'],
  ['_locked_session', 'text'],
];

/** The columns of one field that are written, with their kinds. */
export function columnsOf(field: StoredField): [name: string, kind: ColumnKind][] {
  const { column, comparison } = valueType(field.type);
  switch (comparison.by) {
    case 'value':
      return [[valueColumn(field), column]];
    case 'foldedText':
      return [
        [valueColumn(field), column],
        [foldColumn(field), 'text'],
      ];
    case 'number':
      return [
        [valueColumn(field), column],
        [numberColumn(field), 'integer'],
      ];
    default:
      return comparison satisfies never;
  }
}

/** A value as the database stores it. */
export type ColumnValue = string | number | boolean | null;

/**
 * The values for `columnsOf(field)`, in that order.
 * @param adapter SQLite has no booleans
 */
export function storedValues(
  adapter: { toStored(value: Scalar): ColumnValue },
  field: StoredField,
  value: Scalar,
): ColumnValue[] {
  const { comparison } = valueType(field.type);
  switch (comparison.by) {
    case 'value':
      return [adapter.toStored(value)];
    case 'foldedText':
      return [value, value === null ? null : fold(String(value))];
    case 'number':
      return [value, value === null ? null : comparison.numberOf(String(value))];
    default:
      return comparison satisfies never;
  }
}

/**
 * Converts a database value to a field value.
 * @throws {Error} if the column holds a value that the field's type does not allow
 */
export function fromStored(field: StoredField, stored: unknown): Scalar {
  if (stored === null || stored === undefined) return null;
  // SQLite has no booleans.
  if (valueType(field.type).column === 'boolean') return stored === 1 || stored === true;
  if (typeof stored === 'string' || typeof stored === 'number') return stored;
  throw new Error(`Column ${valueColumn(field)} holds a ${typeof stored}`);
}
