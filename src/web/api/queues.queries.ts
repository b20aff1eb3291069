import * as texts from '#messages/common.ts';
import { queryOptions } from '@tanstack/react-query';
import type { OpenQueue } from '#shared/contract/workspace-answers.ts';
import { answers } from './answers.ts';
import { apiPaths } from './paths.ts';
import { read } from './request.ts';

/**
 * The user's unfinished queues in all archives in which one has gone on, last used first; read anew wherever they
 * are offered.
 */
export const openQueuesQuery = (username: string) =>
  queryOptions({
    queryKey: ['queues', { of: username }],
    queryFn: async ({ signal }): Promise<readonly OpenQueue[]> => {
      const { data } = await read(apiPaths.openQueues(), {
        signal,
        parse: async (raw) => (await answers()).openQueuesAnswer.parse(raw).queues,
      });
      return data;
    },
    // Whoever stands at the first can as well begin anew.
    select: (queues) => queues.filter(({ position }) => position > 0),
    staleTime: 0,
  });

/** `Supplier missing: 41 of 200` */
export function queueWords({
  name,
  position,
  total,
}: Pick<OpenQueue, 'name' | 'position' | 'total'>): string {
  const place = position + 1;
  return name === ''
    ? texts.queuePlace({ place, total })
    : texts.queuePlaceIn({ name, place, total });
}
