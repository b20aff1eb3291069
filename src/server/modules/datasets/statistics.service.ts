import type { Message } from '#shared/messages/message.ts';
import { requireValid } from '#server/http/query.ts';
import type { Transaction } from '#server/database/database.ts';
import type { RecordFilter } from '#server/database/records/list-reader.ts';
import type { Collection, Table } from '#server/database/records/collection.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { answeredSum, meanText } from '#shared/values/exact-sums.ts';
import { MAX_IDS } from '#shared/rules/limits.ts';
import type { AnsweredStatistics } from '#shared/contract/table-analysis-answers.ts';
import type { QueryParameters } from '#shared/rules/query-reader.ts';
import { namedColumns, readColumns } from './analysis-parameters.ts';
import { readCollectionQuery } from '../records/lists.service.ts';

type Column = Collection['fields'][number];

/**
 * Statistics of columns for all matching datasets, or for a range of their list.
 * @throws {ApiError} 400 naming the parameter
 */
export async function statisticsOfMatching(
  db: Transaction,
  table: Table,
  parameters: QueryParameters,
): Promise<AnsweredStatistics> {
  const ofRows = parameters.some(([name]) => name === 'limit' || name === 'offset');
  const { query: list, reader } = readCollectionQuery(
    table,
    parameters,
    ['columns', 'limit', 'offset'],
    ['where', 'q', 'sort'],
  );
  const columns = reader.has('columns') ? readColumns(reader, 'columns', table) : table.fields;
  const offset = reader.integer('offset', 0, 0, Number.MAX_SAFE_INTEGER);
  const limit = reader.integer('limit', MAX_IDS, 1, MAX_IDS);
  requireValid(reader);
  if (!ofRows) return answerStatistics(db, table, list, columns);
  const ids = (await db.lists.ids(table, list, limit, offset)).map(({ id }) => id);
  return answerStatistics(db, table, ids, columns);
}

/**
 * The same for datasets by id; unknown ids are ignored.
 * @throws {ApiError} 422 naming unknown columns
 */
export async function statisticsOfSelected(
  db: Transaction,
  table: Table,
  jrids: readonly number[],
  names: readonly string[] | undefined,
): Promise<AnsweredStatistics> {
  const problems: Message[] = [];
  const columns = names
    ? namedColumns(table, names, (message) => problems.push(message))
    : table.fields;
  if (problems.length > 0) throw new ApiError('validation_failed', { columns: problems });
  return answerStatistics(db, table, jrids, columns);
}

async function answerStatistics(
  db: Transaction,
  table: Table,
  records: RecordFilter | readonly number[],
  columns: readonly Column[],
): Promise<AnsweredStatistics> {
  const { count, columns: found } = await db.lists.statistics(table, records, columns);
  const facts = columns.flatMap(({ name }, i) => {
    const ofColumn = found[i];
    if (!ofColumn) return [];
    const { filled, distinct, min, max, sum } = ofColumn;
    const sums = { sum: sum && answeredSum(sum), mean: sum && meanText(sum, filled) };
    return { name, filled, empty: count - filled, distinct, min, max, ...sums };
  });
  return { facts, count };
}
