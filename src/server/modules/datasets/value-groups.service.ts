import { keywordFieldName } from '#shared/rules/names.ts';
import * as texts from '#messages/service/records.ts';
import { requireValid } from '#server/http/query.ts';
import type { Transaction } from '#server/database/database.ts';
import { isNumber, isText } from '#shared/values/registry.ts';
import { keywordFieldOf } from '#server/database/records/keyword-conditions.ts';
import { keywordGroups } from '#server/database/records/keyword-values.ts';
import { columnOf } from '#server/database/records/list-column-source.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { answeredSum } from '#shared/values/exact-sums.ts';
import { fold } from '#shared/values/fold.ts';
import { MAX_LIMIT } from '#shared/rules/limits.ts';
import { GROUP_SORTS, type valueGroupsAnswer } from '#shared/contract/table-analysis-answers.ts';
import type * as z from 'zod';
import type { QueryParameters } from '#shared/rules/query-reader.ts';
import { readColumns } from './analysis-parameters.ts';
import { readCollectionQuery } from '../records/lists.service.ts';

const NAMES = ['by', 'sum', 'startsWith', 'like', 'sort', 'limit', 'offset', 'total'] as const;
const DEFAULT_LIMIT = 100;
const MAX_COLUMNS = 2;

/**
 * Counts the records that match by their values in one or two fields.
 * @throws {ApiError} 400 naming the parameter
 */
export async function groupsOfMatching(
  db: Transaction,
  collection: Collection,
  parameters: QueryParameters,
): Promise<z.infer<typeof valueGroupsAnswer>> {
  const { filter, keywords, by, sums, part, start, page } = readGrouping(collection, parameters);
  if (keywords) {
    const name = keywordFieldName(keywords.name);
    const grouping = { part, start, ...page };
    const found = await keywordGroups(db, collection, keywords.number, filter, grouping);
    const groups = found.groups.map(({ value, count }) => ({
      values: { [name]: value },
      count,
      sums: {},
    }));
    return { groups, meta: metaOf(found.total, page) };
  }
  const [first] = by;
  const column = first && columnOf(collection, first);
  const where = [
    ...filter.where,
    ...(column && part !== '' ? [{ column, op: 'like' as const, folded: part }] : []),
  ];
  const startsWith = column && start !== '' ? { column, folded: start } : null;
  const matching = { where, q: filter.q, ...(startsWith && { startsWith }) };
  const { groups, total } = await db.lists.groups(collection, matching, { by, sums, ...page });
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
    meta: metaOf(total, page),
  };
}

/** @param total null: it was not counted */
function metaOf(
  total: number | null,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  return { pagination: { ...(total === null ? {} : { total }), limit, offset } };
}

/** @throws {ApiError} 400 naming the parameter */
function readGrouping(collection: Collection, parameters: QueryParameters) {
  const { query: filter, reader } = readCollectionQuery(collection, parameters, NAMES, [
    'where',
    'q',
  ]);
  const keywords = keywordFieldOf(collection, reader.text('by') ?? '');
  const by = keywords ? [] : readColumns(reader, 'by', collection);
  const [first] = by;
  if ((reader.text('by') ?? '') === '') reader.refuse('by', texts.groupColumnMissing);
  if (by.length > MAX_COLUMNS) reader.refuse('by', texts.tooManyGroupColumns);
  const sums = readColumns(reader, 'sum', collection);
  if (keywords && sums.length > 0) reader.refuse('sum', texts.noSumByKeyword);
  for (const column of sums) {
    if (!isNumber(column)) {
      reader.refuse('sum', texts.noSum({ name: column.name, type: column.type }));
    }
  }
  const sort = reader.oneOf('sort', GROUP_SORTS) ?? '-count';
  const limit = reader.integer('limit', DEFAULT_LIMIT, 1, MAX_LIMIT);
  const offset = reader.integer('offset', 0, 0, Number.MAX_SAFE_INTEGER);
  const withTotal = reader.boolean('total', true);
  for (const name of ['startsWith', 'like'] as const) {
    if (reader.text(name) !== undefined && first && !isText(first))
      reader.refuse(name, texts.forTextOnly({ name: first.name, type: first.type }));
  }
  requireValid(reader);
  const [part, start] = [fold(reader.text('like') ?? ''), fold(reader.text('startsWith') ?? '')];
  const page = { sort, limit, offset, withTotal };
  return { filter, keywords, by, sums, part, start, page };
}
