import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { throttle } from '#web/api/live/throttle.ts';
import { onChanges } from '#web/api/live/live.ts';
import { keysToRefetchAfterWrite } from './summary.queries.ts';

/** In milliseconds: counting a large table takes the service some tenths of a second. */
const REFRESH = { wait: 100, rest: 1_000 };

/** Refetches sums and counts of a table after any write, by any user. */
export function useRefetchStatistics(guid: string): void {
  const client = useQueryClient();
  useEffect(() => {
    const counting = throttle(
      () =>
        Promise.all(
          keysToRefetchAfterWrite(guid).map((queryKey) => client.invalidateQueries({ queryKey })),
        ),
      REFRESH,
    );
    const leave = onChanges((changes) => {
      const isAffected = changes?.some(
        ({ collection }) => collection.kind === 'table' && collection.id === guid,
      );
      if (isAffected !== false) counting.request();
    });
    return () => {
      leave();
      counting.stop();
    };
  }, [client, guid]);
}
