import type { Transaction } from '#server/database/database.ts';
import { readColumnStatistics } from '#server/database/records/column-statistics.ts';
import { readIds } from '#server/database/records/list-records.ts';
import { selectByIds, selectMatching, type Selection } from '#server/database/records/selection.ts';
import type { Table } from '#server/database/records/collection.ts';
import { ApiError } from '#shared/errors.ts';
import { answeredSum, meanText } from '#shared/exact-sums.ts';
import { MAX_IDS } from '#shared/limits.ts';
import type { Facts } from '#shared/table-desk.ts';
import type { QueryParameters } from '#shared/query-reader.ts';
import { namedColumns, readColumns, readTableQuery } from './analysis-parameters.ts';

type Column = Table['fields'][number];

/**
 * Tells what values the columns have in all datasets that match, or in a stretch of their list.
 * @param few for tests: how many records SQLite takes for few
 * @throws {ApiError} 400 naming the parameter
 */
export async function factsOfMatching(
  db: Transaction,
  table: Table,
  parameters: QueryParameters,
  few?: number,
): Promise<Facts> {
  const ofRows = parameters.some(([name]) => name === 'limit' || name === 'offset');
  const { query: list, reader } = readTableQuery(
    table,
    parameters,
    ['columns', 'limit', 'offset'],
    ['where', 'q', 'sort'],
  );
  const columns = reader.has('columns') ? readColumns(reader, 'columns', table) : table.fields;
  const offset = reader.whole('offset', 0, 0, Number.MAX_SAFE_INTEGER);
  const limit = reader.whole('limit', MAX_IDS, 1, MAX_IDS);
  reader.requireValid();
  if (!ofRows) return answer(db, await selectMatching(db, table, list, few), columns);
  const ids = await readIds(db, table, list, limit, offset);
  const selection = await selectByIds(
    db,
    table,
    ids.map(({ id }) => id),
  );
  return answer(db, selection, columns);
}

/**
 * The same of datasets by their ids; those that are not there do not count.
 * @throws {ApiError} 422 naming what is no column
 */
export async function factsOfSelected(
  db: Transaction,
  table: Table,
  jrids: readonly number[],
  names: readonly string[] | undefined,
): Promise<Facts> {
  const problems: string[] = [];
  const columns = names
    ? namedColumns(table, names, (message) => problems.push(message))
    : table.fields;
  if (problems.length > 0) throw new ApiError('validation_failed', { columns: problems });
  return answer(db, await selectByIds(db, table, jrids), columns);
}

async function answer(
  db: Transaction,
  selection: Selection,
  columns: readonly Column[],
): Promise<Facts> {
  const found = await readColumnStatistics(db, selection, columns);
  const facts = columns.flatMap(({ name }, i) => {
    const facts = found[i];
    if (!facts) return [];
    const { filled, distinct, min, max, sum } = facts;
    return {
      name,
      filled,
      empty: selection.count - filled,
      distinct,
      min,
      max,
      sum: sum && answeredSum(sum),
      mean: sum && meanText(sum, filled),
    };
  });
  return { facts, count: selection.count };
}
