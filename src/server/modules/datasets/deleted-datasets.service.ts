import { requireValid } from '#server/http/query.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Table } from '#server/database/records/collection.ts';
import { type DeletedDatasets, MAX_DELETED } from '#shared/contract/table-analysis-answers.ts';
import { DEFAULT_LIMIT } from '#shared/rules/limits.ts';
import { QueryReader, type QueryParameters } from '#shared/rules/query-reader.ts';
import { readDeletions } from '../history/history.service.ts';

/**
 * The deleted datasets of a table that were not restored, newest first.
 * @throws {ApiError} 400 with all errors of the query
 */
export async function deletedDatasets(
  db: Transaction,
  table: Table,
  query: QueryParameters,
): Promise<DeletedDatasets> {
  const reader = new QueryReader(query, ['limit', 'before']);
  const limit = reader.integer('limit', DEFAULT_LIMIT, 1, MAX_DELETED);
  const before = reader.integer('before', 0, 1, Number.MAX_SAFE_INTEGER);
  requireValid(reader);
  const found = await readDeletions(db, table, before === 0 ? null : before, limit + 1);
  const deleted = found
    .slice(0, limit)
    .map(({ rowId, ...entry }) => ({ jrid: String(rowId), ...entry }));
  const next = found.length > limit ? (deleted.at(-1)?.historyId ?? null) : null;
  return { deleted, meta: { pagination: { limit, next } } };
}
