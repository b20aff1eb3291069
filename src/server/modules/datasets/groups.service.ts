import type { Transaction } from '#server/database/database.ts';
import { startingWith } from '#server/database/records/conditions.ts';
import { groupRecords } from '#server/database/records/groups.ts';
import { selectMatching } from '#server/database/records/selection.ts';
import { columnOf } from '#server/database/records/source.ts';
import type { Table } from '#server/database/records/collection.ts';
import { answeredSum } from '#shared/exact-sums.ts';
import { fold } from '#shared/fold.ts';
import { MAX_LIMIT } from '#shared/limits.ts';
import { parseTotal } from '#shared/lists.ts';
import { GROUP_SORTS, type groupsAnswer } from '#shared/table-desk.ts';
import type * as z from 'zod';
import { OwnQuery } from './analysis-parameters.ts';

const NAMES = ['by', 'sum', 'startsWith', 'like', 'sort', 'limit', 'offset', 'total'] as const;
const DEFAULT_LIMIT = 100;
const MOST_COLUMNS = 2;

/**
 * Counts the datasets that match by their values in one or two columns.
 * @param few for tests: how many records SQLite takes for few
 * @throws {ApiError} 400 naming the parameter
 */
export async function groupsOfMatching(
  db: Transaction,
  table: Table,
  parameters: readonly (readonly [string, string])[],
  few?: number,
): Promise<z.infer<typeof groupsAnswer>> {
  const query = new OwnQuery(table, parameters, NAMES, ['where', 'q']);
  const by = query.columns('by');
  const [first] = by;
  if ((query.get('by') ?? '') === '') query.complain('by', 'A column to group by is needed.');
  if (by.length > MOST_COLUMNS) query.complain('by', 'At most two columns can be grouped by.');
  const sums = query.columns('sum');
  for (const { name, type } of sums) {
    if (type !== 'integer' && type !== 'decimal')
      query.complain('sum', `${name} is of type ${type} and has no sum.`);
  }
  const sort = GROUP_SORTS.find((known) => known === (query.get('sort') ?? '-count'));
  if (!sort) query.complain('sort', `This must be one of: ${GROUP_SORTS.join(', ')}.`);
  const limit = query.whole('limit', DEFAULT_LIMIT, 1, MAX_LIMIT);
  const offset = query.whole('offset', 0, 0, Number.MAX_SAFE_INTEGER);
  const withTotal = parseTotal(query.get('total'), (message) => query.complain('total', message));
  for (const name of ['startsWith', 'like'] as const) {
    if (query.get(name) !== undefined && first && first.type !== 'text')
      query.complain(name, `This is for text; ${first.name} is of type ${first.type}.`);
  }

  const filter = query.filter();
  const column = first && columnOf(table, first);
  const [part, start] = [fold(query.get('like') ?? ''), fold(query.get('startsWith') ?? '')];
  const where = [
    ...filter.where,
    ...(column && part !== '' ? [{ column, op: 'like' as const, folded: part }] : []),
  ];
  const starting = column && start !== '' ? [startingWith(db, table, column, start)] : [];
  const selection = await selectMatching(db, table, { where, q: filter.q }, few, starting);
  const asked = { by, sums, sort: sort ?? '-count', limit, offset, withTotal };
  const { groups, total } = await groupRecords(db, selection, asked, few);
  return {
    groups: groups.map((group) => ({
      values: Object.fromEntries(by.map(({ name }, i) => [name, group.values[i] ?? null])),
      count: group.count,
      sums: Object.fromEntries(
        sums.map(({ name }, i) => {
          const sum = group.sums[i];
          return [name, sum ? answeredSum(sum) : null];
        }),
      ),
    })),
    meta: { pagination: { ...(total === null ? {} : { total }), limit, offset } },
  };
}
