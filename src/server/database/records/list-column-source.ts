import type { RawBuilder } from 'kysely';
import type { ListColumn } from '#shared/rules/lists.ts';
import { findByName } from '#shared/rules/names.ts';
import { isText } from '#shared/values/registry.ts';
import { equalityKey } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import { comparedColumn, foldColumn, valueColumn, type ColumnValue } from './columns.ts';
import { orderIndex } from './record-tables.ts';
import { changedByKeySql } from './sort-key.ts';

/** The database column of a list column that can be filtered or sorted. */
export type ColumnSource = TextSource | PlainSource;

export interface TextSource {
  readonly kind: 'text';
  readonly value: string;
  readonly fold: string;
  /** its sort key, as in the index */
  readonly key: RawBuilder<string | null>;
  /** null for a meta column */
  readonly fieldNumber: number | null;
  /** the index in its order */
  readonly index: string;
}

export interface PlainSource {
  readonly kind: 'plain';
  readonly column: string;
  /** the index in its order; null: the table itself has this order */
  readonly index: string | null;
  /** what the column holds of a value */
  stored(value: Scalar): ColumnValue;
}

/** The name by which lists refer to a field of an archive or table. */
export function columnOf(collection: Collection, field: { readonly number: number }): ListColumn {
  const name = collection.fields.find(({ number }) => number === field.number)?.name;
  const column = collection.listColumns.find(
    (candidate) => candidate.kind === 'field' && candidate.name === name,
  );
  if (!column) throw new Error(`No field ${field.number} in ${collection.name}`);
  return column;
}

const instant = (value: Scalar) => Number(equalityKey('datetime', value));

/** Finds the database column of a field or meta column; keyword fields have a separate table. */
export function sourceOf(
  db: Transaction,
  collection: Collection,
  column: ListColumn,
): ColumnSource {
  const plain = (value: Scalar) => db.adapter.toStored(value);
  if (column.kind === 'meta') {
    switch (column.name) {
      case 'changedAt':
        return {
          kind: 'plain',
          column: '_changed_at',
          index: orderIndex(collection, 'changed_at'),
          stored: instant,
        };
      case 'changedBy':
        return {
          kind: 'text',
          value: '_changed_by',
          fold: '_changed_by_fold',
          key: changedByKeySql(db.adapter),
          fieldNumber: null,
          index: orderIndex(collection, 'changed_by'),
        };
      default:
        return { kind: 'plain', column: '_id', index: null, stored: plain };
    }
  }
  const field = findByName(collection.fields, column.name);
  if (!field) throw new Error(`No field ${column.name} in ${collection.name}`);
  const index = orderIndex(collection, field.number);
  if (isText(field)) {
    return {
      kind: 'text',
      value: valueColumn(field),
      fold: foldColumn(field),
      key: db.adapter.sortKey(field),
      fieldNumber: field.number,
      index,
    };
  }
  return {
    kind: 'plain',
    column: comparedColumn(field),
    index,
    stored: (value) => db.adapter.toStored(equalityKey(field.type, value)),
  };
}
