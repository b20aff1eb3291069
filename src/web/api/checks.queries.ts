import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { AnsweredCheck } from '#shared/contract/check-answers.ts';
import { findByName } from '#shared/rules/names.ts';
import { answers, taskAnswers } from './load-answer-schemas.ts';
import { collectionKey } from './collection-key.ts';
import { apiPaths, type CollectionRef } from './api-paths.ts';
import { readData } from './request.ts';

const checksKey = (collection: CollectionRef) => [...collectionKey(collection), 'checks'] as const;

/** The checks of a list with their counts, as visible to the user. Every save may change the counts. */
export const checksQuery = (collection: CollectionRef) =>
  queryOptions({
    queryKey: checksKey(collection),
    queryFn: ({ signal }) =>
      readData(apiPaths.checks(collection), {
        signal,
        parse: async (raw) => (await taskAnswers()).checksAnswer.parse(raw).checks,
      }),
    staleTime: 5_000,
    // If a job counts the findings, the count arrives later.
    refetchInterval: ({ state }) =>
      state.data?.some(({ count }) => count === null) ? 2_000 : false,
  });

/** A check without its counts. */
export type CheckOfList = Omit<AnsweredCheck, 'count' | 'atLeast' | 'excepted' | 'asOf'>;

/** The checks of a list without their counts, which only definitions change, not saves. */
export const checkDefinitionsQuery = (collection: CollectionRef) =>
  queryOptions({
    queryKey: [...collectionKey(collection), 'check definitions'],
    queryFn: async ({ signal }): Promise<readonly CheckOfList[]> => {
      const data = await readData(apiPaths.checks(collection), {
        signal,
        parse: async (raw) => (await answers()).checksAnswer.parse(raw).checks,
      });
      return data.map(
        ({ count: _count, atLeast: _atLeast, excepted: _excepted, asOf: _asOf, ...check }) => check,
      );
    },
    staleTime: 60_000,
  });

/** Refetches the visible counts of a list's checks. */
export function invalidateChecks(client: QueryClient, collection: CollectionRef): Promise<void> {
  return client.invalidateQueries({ queryKey: checksKey(collection) });
}

/** The name of findings in filters. An old field may have the same name (docs/interface/checks.md, section 3). */
export function checkFilterOf(fields: readonly { readonly name: string }[]): string {
  return findByName(fields, 'check') ? 'meta.check' : 'check';
}
