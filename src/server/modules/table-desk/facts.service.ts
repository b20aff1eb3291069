import type { Db } from '#server/db/database.ts';
import { readFacts } from '#server/db/records/facts.ts';
import { selectByIds, selectMatching, type Selection } from '#server/db/records/selection.ts';
import type { Table } from '#server/db/records/thing.ts';
import { ApiError } from '#shared/errors.ts';
import { answeredSum, meanText } from '#shared/exact-sums.ts';
import type { Facts } from '#shared/table-desk.ts';
import { namedColumns, OwnQuery } from './parameters.ts';

type Column = Table['fields'][number];

/**
 * Tells what values the columns have in all datasets that match.
 * @param few for tests: how many records SQLite takes for few
 * @throws {ApiError} 400 naming the parameter
 */
export async function factsOfMatching(
  db: Db,
  table: Table,
  parameters: readonly (readonly [string, string])[],
  few?: number,
): Promise<Facts> {
  const query = new OwnQuery(table, parameters, ['columns'], ['where', 'q']);
  const columns = query.get('columns') === undefined ? table.fields : query.columns('columns');
  return answer(db, await selectMatching(db, table, query.filter(), few), columns, few);
}

/**
 * The same of datasets by their ids; those that are not there do not count.
 * @throws {ApiError} 422 naming what is no column
 */
export async function factsOfSelected(
  db: Db,
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
  db: Db,
  selection: Selection,
  columns: readonly Column[],
  few?: number,
): Promise<Facts> {
  const found = await readFacts(db, selection, columns, few);
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
