import * as texts from '#messages/service/value-cleanup.ts';
import * as recordTexts from '#messages/service/records.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { ApiError } from '#shared/contract/errors.ts';
import {
  CLUSTER_DISTANCES,
  MOST_CLUSTERS,
  MOST_COMPARED_VALUES,
  type ValueClusters,
} from '#shared/contract/value-cleanup.ts';
import { readListQuery } from '#shared/rules/lists.ts';
import { findByName } from '#shared/rules/names.ts';
import type { QueryParameters } from '#shared/rules/query-reader.ts';
import { isText } from '#shared/values/registry.ts';
import { clusterTexts, type CountedText } from './clusters.ts';

type Field = Collection['fields'][number];

/**
 * The field of a call about values that are nearly equal.
 * @throws {ApiError} 404 where the person sees none of this name, 422 under `field` if it holds no text
 */
function requireTextField({ kind, fields }: Collection, name: string): Field {
  const field = findByName<Field>(fields, name);
  if (!field) {
    const message = kind === 'archive' ? recordTexts.noIndexField : recordTexts.noColumn({ name });
    throw new ApiError('not_found', message);
  }
  if (isText(field)) return field;
  throw new ApiError('validation_failed', { field: [texts.textOnly(field)] });
}

/**
 * The values of a text field that are nearly equal, in the records that match a filter. It may take seconds, but lets other
 * work of the process run.
 * @param name of the field
 * @param query `where`, `or`, `q` and `distance`, the letters by which values may differ
 * @throws {ApiError} 400 with all errors of the query; 404 and 422 as `requireTextField`
 */
export async function findClusters(
  db: Transaction,
  collection: Collection,
  name: string,
  query: QueryParameters,
): Promise<ValueClusters> {
  const field = requireTextField(collection, name);
  const { listColumns, limits } = collection;
  const { query: list, reader } = readListQuery(
    query,
    listColumns,
    ['distance'],
    ['where', 'q'],
    limits,
  );
  const distance = Number(reader.oneOf('distance', CLUSTER_DISTANCES) ?? 1);
  reader.requireValid();
  const { groups, total } = await db.lists.groups(
    collection,
    { where: list.where, q: list.q },
    {
      by: [field],
      sums: [],
      sort: '-count',
      limit: MOST_COMPARED_VALUES + 2,
      offset: 0,
      withTotal: true,
    },
  );
  const inUse = groups.flatMap(({ values: [value], count }): CountedText[] =>
    typeof value === 'string' && value !== '' ? [{ value, count }] : [],
  );
  // Without a value, and with an empty text: two groups that are no values.
  const all = (total ?? groups.length) - (groups.length - inUse.length);
  const compared = inUse.slice(0, MOST_COMPARED_VALUES);
  const { clusters, isComplete } = await clusterTexts(compared, distance);
  const messages = [
    ...(compared.length < all
      ? [texts.tooManyValues({ values: all, compared: compared.length })]
      : []),
    ...(isComplete ? [] : [texts.tooSimilar]),
    ...(clusters.length > MOST_CLUSTERS
      ? [texts.tooManyClusters({ clusters: clusters.length, shown: MOST_CLUSTERS })]
      : []),
  ];
  return {
    clusters: clusters
      .slice(0, MOST_CLUSTERS)
      .map(({ values, ...cluster }) => ({ ...cluster, values: [...values] })),
    meta: {
      clusters: clusters.length,
      values: all,
      compared: compared.length,
      message: messages.length > 0 ? messages.join(' ') : null,
    },
  };
}
