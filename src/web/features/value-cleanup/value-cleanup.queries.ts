import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CLUSTER_DISTANCES, ValueClusters } from '#shared/contract/value-cleanup.ts';
import { taskAnswers } from '#web/api/load-answer-schemas.ts';
import { type ListFilter, listQueryString } from '#web/api/list-view.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import { readValueGroups } from '#web/api/record-lists.ts';
import { readData } from '#web/api/request.ts';

/** The number of letters by which values may differ. */
export type Distance = (typeof CLUSTER_DISTANCES)[number];

/**
 * Keys of the values of an archive's or table's fields. They are not keys of the archive: a change by someone else must
 * not replace the clusters while the user is choosing.
 */
export const cleanupKey = ({ kind, id }: CollectionRef) => ['value cleanup', kind, id] as const;

/** The values of a field that are nearly equal. They are not refetched while the user is choosing. */
export const clustersQuery = (
  collection: CollectionRef,
  field: string,
  { where = [], q = '' }: ListFilter,
  distance: Distance,
) =>
  queryOptions({
    queryKey: [...cleanupKey(collection), 'clusters', field, where, q, distance],
    queryFn: async ({ signal }): Promise<ValueClusters> => {
      const query = listQueryString({ where, q }, { distance });
      return readData(apiPaths.valueClusters(collection, field) + query, {
        signal,
        parse: async (raw) => (await taskAnswers()).valueClustersAnswer.parse(raw),
      });
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

const VALUES_A_PAGE = 200;

/** All values of a field with their counts, most frequent first. @param like a part of the value; '' for all */
export const valuesQuery = (
  collection: CollectionRef,
  field: string,
  { where = [], q = '' }: ListFilter,
  like: string,
) =>
  infiniteQueryOptions({
    queryKey: [...cleanupKey(collection), 'values', field, where, q, like],
    initialPageParam: 0,
    queryFn: ({ signal, pageParam: offset }) =>
      readValueGroups(
        collection,
        { where, q },
        { by: field, limit: VALUES_A_PAGE, offset, like },
        signal,
      ),
    getNextPageParam: ({ meta: { pagination } }) => {
      const next = pagination.offset + pagination.limit;
      return next < (pagination.total ?? 0) ? next : undefined;
    },
    placeholderData: keepPreviousData,
  });

/** The aliases of a field: values that imports and pastes correct. */
export const aliasesQuery = (collection: CollectionRef, field: string) =>
  queryOptions({
    queryKey: [...cleanupKey(collection), 'aliases', field],
    queryFn: ({ signal }) =>
      readData(apiPaths.valueAliases(collection, field), {
        signal,
        parse: async (raw) => (await taskAnswers()).valueAliasesAnswer.parse(raw).aliases,
      }),
    staleTime: 0,
  });
