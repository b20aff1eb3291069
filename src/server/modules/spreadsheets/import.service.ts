import * as texts from '#messages/service/spreadsheets.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Database } from '#server/database/database.ts';
import type { Collection, Table } from '#server/database/records/collection.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { indexOfName } from '#shared/rules/names.ts';
import {
  planRows,
  type RowKey,
  type RowToPlan,
  type UnfinishedPlan,
} from '../bulk-edits/bulk-edits.service.ts';
import type { Writer } from '../records/records.service.ts';
import { readAliases } from '../value-aliases/value-aliases.ts';
import type { ImportForm } from './import-form.ts';
import { importRows, type Layout, readLayout, withoutAliases } from './import-rows.ts';
import { type PasteBody, pastedRows } from './paste-rows.ts';

/** Rows without an id that an error lists. */
const MAX_LISTED = 20;

/**
 * Plans the import of a spreadsheet, outside a transaction; `finishPlan` in a transaction makes the plan visible. Rows
 * change revisions by their id, create a document each, or change and create datasets.
 * @throws {ApiError} 422 under `files.0`, `columns.N` or `key`
 */
export async function planImport(
  database: Database,
  collection: Collection,
  writer: Writer,
  form: ImportForm,
): Promise<UnfinishedPlan> {
  const { file, columns, mode } = form;
  const layout = await readLayout(collection, file, columns);
  const key = keyOf(collection, layout, form);
  const isByRevision = collection.kind === 'archive' && key === 'id';
  const aliases = await database.read((db) => readAliases(db, collection));
  const read = () => {
    const rows = importRows(collection, file, layout);
    return withoutAliases(collection, aliases, isByRevision ? rowsWithId(rows) : rows);
  };
  const source = { from: 'file', fileName: file.name, mode, key, read } as const;
  return planRows(database, collection, writer, source);
}

/**
 * Plans a paste into a data table, outside a transaction, as the import of rows that are known by their jrid.
 * @throws {ApiError} 422 under `columns.N` or `datasets.N`
 */
export async function planPaste(
  database: Database,
  table: Table,
  writer: Writer,
  body: PasteBody,
): Promise<UnfinishedPlan> {
  const rows = pastedRows(table, body);
  const aliases = await database.read((db) => readAliases(db, table));
  const read = () => withoutAliases(table, aliases, rows);
  const source = { from: 'paste', fileName: null, mode: 'both', key: 'id', read } as const;
  return planRows(database, table, writer, source);
}

/**
 * The rows with an id, up to the first one without.
 * @throws {ApiError} 422 under `files.0` after the last row, if there are rows without an id
 */
async function* rowsWithId(rows: AsyncIterable<RowToPlan>): AsyncGenerator<RowToPlan> {
  const faults: Message[] = [];
  for await (const row of rows) {
    const { id, line } = row;
    if (id === null || id === 0) {
      if (faults.length < MAX_LISTED) faults.push(texts.rowWithoutId({ line }));
    } else if (faults.length === 0) yield row;
  }
  if (faults.length > 0) throw new ApiError('validation_failed', { 'files.0': faults });
}

/** @throws {ApiError} 422 under `files.0` or `key` */
function keyOf(collection: Collection, layout: Layout, { mode, key }: ImportForm): RowKey {
  if (collection.kind === 'table') return keyOfTable(collection, layout, mode, key);
  if (mode === 'create') return null;
  if (layout.id !== null) return 'id';
  throw new ApiError('validation_failed', { 'files.0': [texts.noIdColumn] });
}

function keyOfTable(
  table: Table,
  layout: Layout,
  mode: ImportForm['mode'],
  given: string | null,
): RowKey {
  const has = (fieldIndex: number) =>
    layout.fields.some((field) => field.fieldIndex === fieldIndex);
  const wrong = (message: Message) => new ApiError('validation_failed', { key: [message] });
  if (given === null) {
    if (layout.id !== null) return 'id';
    const unique = table.fields.findIndex((column, fieldIndex) => column.unique && has(fieldIndex));
    if (unique >= 0) return unique;
    if (mode === 'create') return null;
    throw wrong(texts.noKey);
  }
  if (given === 'jrid') {
    if (layout.id === null) throw wrong(texts.noJridColumn);
    return 'id';
  }
  const fieldIndex = indexOfName(table.fields, given);
  const column = table.fields[fieldIndex];
  if (!column) throw wrong(texts.noColumn({ name: given.toWellFormed().slice(0, 100) }));
  if (!column.unique) throw wrong(texts.keyNotUnique({ name: column.name }));
  if (!has(fieldIndex)) throw wrong(texts.keyNotMapped({ name: column.name }));
  return fieldIndex;
}
