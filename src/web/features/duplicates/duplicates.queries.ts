import { queryOptions } from '@tanstack/react-query';
import type { DuplicateGroup } from '#shared/contract/check-answers.ts';
import { answers, onlyItem, taskAnswers } from '#web/api/load-answer-schemas.ts';
import { collectionKey } from '#web/api/collection-key.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import { read, readData, writeData } from '#web/api/request.ts';
import { tableKeys } from '#web/api/tables.queries.ts';
import type { MergeRequest } from './use-merge.ts';

/** The maximum page size of the call; later groups appear when these are settled. */
const MAX_GROUPS = 1_000;

interface DuplicateGroups {
  readonly groups: readonly DuplicateGroup[];
  /** false: the check is being counted for the first time */
  readonly isCounted: boolean;
  /** whether there may be more */
  readonly isPart: boolean;
}

/**
 * The groups of records that a duplicate check finds, as of the last count.
 * @param record only those with this record; null: all
 */
export const duplicateGroupsQuery = (
  collection: CollectionRef,
  check: string,
  record: string | null,
) =>
  queryOptions({
    queryKey: [...collectionKey(collection), 'duplicates', check, record],
    queryFn: async ({ signal }): Promise<DuplicateGroups> => {
      const query = { limit: MAX_GROUPS, record: record ?? '' };
      const data = await readData(apiPaths.duplicateGroups(collection, check, query), {
        signal,
        parse: async (raw) => (await taskAnswers()).duplicateGroupsAnswer.parse(raw),
      });
      const { asOf, pagination } = data.meta;
      return { groups: data.groups, isCounted: asOf !== null, isPart: pagination.next !== null };
    },
    staleTime: 0,
  });

/** A preview of a merge; it changes nothing. */
export const mergePlanQuery = (guid: string, request: MergeRequest) =>
  queryOptions({
    queryKey: [...tableKeys.one(guid), 'merge plan', JSON.stringify(request)],
    queryFn: ({ signal }) =>
      writeData(apiPaths.merges(guid, 'plan'), {
        method: 'POST',
        body: request,
        signal,
        parse: async (raw) => (await taskAnswers()).mergePlanAnswer.parse(raw).merge,
      }),
    staleTime: 0,
    retry: false,
  });

/** A record of a table with its version. */
export const comparedDatasetQuery = (guid: string, jrid: string) =>
  queryOptions({
    queryKey: [...tableKeys.one(guid), 'compared', jrid],
    queryFn: async ({ signal }) => {
      const { data, etag } = await read(apiPaths.dataset(guid, jrid), {
        signal,
        parse: async (raw) => onlyItem((await answers()).datasetsAnswer.parse(raw).datasets),
      });
      return { dataset: data, etag };
    },
    staleTime: 0,
  });
