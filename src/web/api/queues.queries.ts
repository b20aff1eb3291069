import * as texts from '#messages/common.ts';
import { queryOptions } from '@tanstack/react-query';
import type { OpenQueue } from '#shared/contract/workspace-answers.ts';
import { answers } from './load-answer-schemas.ts';
import { apiPaths } from './api-paths.ts';
import { readData } from './request.ts';

/**
 * The user's unfinished queues of all archives with at least one revision done, last used first; refetched wherever
 * they are offered.
 */
export const openQueuesQuery = (username: string) =>
  queryOptions({
    queryKey: ['queues', { of: username }],
    queryFn: ({ signal }): Promise<readonly OpenQueue[]> =>
      readData(apiPaths.openQueues(), {
        signal,
        parse: async (raw) => (await answers()).openQueuesAnswer.parse(raw).queues,
      }),
    // A queue at its first revision can as well be started again.
    select: (queues) => queues.filter(({ position }) => position > 0),
    staleTime: 0,
  });

/** `Supplier missing: 41 of 200` */
export function queueText({
  name,
  position,
  total,
}: Pick<OpenQueue, 'name' | 'position' | 'total'>): string {
  const fromOne = { position: position + 1, total };
  return name === '' ? texts.queuePosition(fromOne) : texts.queuePositionIn({ name, ...fromOne });
}
