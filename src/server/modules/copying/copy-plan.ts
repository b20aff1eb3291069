import { OperatorError } from '#server/lib/operator-error.ts';
import * as texts from '#messages/service/storage.ts';
import type { Transaction } from '#server/database/database.ts';
import { readTableShapes, type TableShape } from '#server/database/copying/schema-introspection.ts';
import { SYSTEM_COPIES } from '#server/database/copying/system-table-copies.ts';
import {
  columnsOf,
  keywordTable,
  tableName,
  UNUSED_COLUMN_PREFIX,
} from '#server/database/records/columns.ts';
import { createRecordTable } from '#server/database/records/record-tables.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { readAllCollections } from '../definitions/stored-definitions.ts';

/** The tables to copy of an installation. */
export interface CopyPlan {
  readonly collections: readonly Collection[];
  /** in the order of filling */
  readonly tables: readonly TableShape[];
  /** tables of the source that do not belong to the service */
  readonly unknownTables: readonly string[];
}

export async function planCopy(source: Transaction): Promise<CopyPlan> {
  const collections = await readAllCollections(source);
  const shapes = await readTableShapes(source);
  const system = systemTables();
  const known = new Set([...Object.keys(SYSTEM_COPIES), ...collections.flatMap(recordTables)]);
  return {
    collections,
    tables: [
      ...system.map((name) => copied(shapes, name)),
      ...collections.flatMap((collection) =>
        recordTables(collection).map((name) => definedColumns(copied(shapes, name), collection)),
      ),
    ],
    unknownTables: [...shapes.keys()].filter((name) => !known.has(name)),
  };
}

/** Creates the missing record tables of the target, without their indexes. */
export async function createMissingTables(
  target: Transaction,
  { collections }: CopyPlan,
): Promise<void> {
  const shapes = await readTableShapes(target);
  for (const collection of collections) {
    if (!shapes.has(tableName(collection))) await createRecordTable(target, collection);
  }
}

/** @throws {OperatorError} if a table differs in the target */
export async function compareTables(target: Transaction, { tables }: CopyPlan): Promise<void> {
  const shapes = await readTableShapes(target);
  for (const { name, columns } of tables) {
    const there = copied(shapes, name).columns;
    if (there.join() !== columns.join()) {
      throw new OperatorError(texts.copyColumnsDiffer(name));
    }
  }
}

function systemTables(): string[] {
  return Object.entries(SYSTEM_COPIES).flatMap(([name, copy]) => (copy.copied ? [name] : []));
}

function recordTables(collection: Collection): string[] {
  return collection.kind === 'archive'
    ? [tableName(collection), keywordTable(collection)]
    : [tableName(collection)];
}

/**
 * Without the columns of fields that are not defined: those that SQLite keeps for other fields, and those that a change of
 * the definition is still adding.
 */
function definedColumns(shape: TableShape, { fields }: Collection): TableShape {
  const defined = new Set(fields.flatMap(columnsOf).map(([name]) => name));
  const isCopied = (column: string) =>
    defined.has(column) || !(/^f[0-9]/.test(column) || column.startsWith(UNUSED_COLUMN_PREFIX));
  return {
    ...shape,
    columns: shape.columns.filter(isCopied),
    texts: shape.texts.filter(isCopied),
  };
}

function copied(shapes: ReadonlyMap<string, TableShape>, name: string): TableShape {
  const shape = shapes.get(name);
  if (!shape) throw new OperatorError(texts.copyTableMissing(name));
  return shape;
}
