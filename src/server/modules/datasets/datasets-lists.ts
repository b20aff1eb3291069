import type { Transaction } from '#server/database/database.ts';
import type { Table } from '#server/database/records/collection.ts';
import type { QueryParameters } from '#shared/rules/query-reader.ts';
import { listMeta } from '../checks/list-meta.ts';
import { listPage } from '../records/lists.service.ts';
import { toDataset } from '../records/present-record.ts';

/**
 * Answers one page of a table (docs/interface/decisions.md, section 6).
 * @throws {ApiError} 400 naming the parameter
 */
export async function datasetsPage(db: Transaction, table: Table, parameters: QueryParameters) {
  const page = await listPage(db, table, parameters);
  const datasets = page.records.map((record) => toDataset(table, record));
  return { datasets, meta: await listMeta(db, table, page) };
}
