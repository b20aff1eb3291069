import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { Viewer } from '#shared/contract/workspace-answers.ts';
import { onPresence } from '#web/api/live/live.ts';
import { useIsSeenAs } from '#web/api/session.queries.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { openPresence, presenceQuery, repeatAfter } from './presence.queries.ts';

/** Milliseconds without a key or pointer event after which the user counts as absent, so that the session can end. */
const IDLE_AFTER = 30 * 60_000;

const NOBODY: readonly Viewer[] = [];

/**
 * Who else has a record open, while announcing that this tab has. If it cannot be read nobody is shown; nothing depends
 * on it.
 * @param list the archive's table name or the table's GUID
 * @param record revisionId or jrid
 * @param editing whether there are unsaved changes
 */
export function usePresence(
  kind: CollectionRef['kind'],
  list: string,
  record: string,
  editing: boolean,
): readonly Viewer[] {
  const client = useQueryClient();
  const isSeenAs = useIsSeenAs();
  const presence = useMemo(() => openPresence({ kind, id: list }, record), [kind, list, record]);
  const activeAt = useRef(0);
  const query = presenceQuery(presence, editing);
  const { data, isError, refetch } = useQuery({
    ...query,
    enabled: !isSeenAs,
    refetchInterval: () => Date.now() - activeAt.current < IDLE_AFTER && repeatAfter(),
    placeholderData: keepPreviousData,
  });

  const setViewers = useEffectEvent((viewers: readonly Viewer[]) => {
    // The answer of a call in progress would be outdated.
    void client.cancelQueries({ queryKey: query.queryKey });
    client.setQueryData(query.queryKey, viewers);
  });
  const announceAgain = useEffectEvent(() => void refetch());
  useEffect(() => {
    activeAt.current = Date.now();
    const onActivity = () => {
      const wasIdle = Date.now() - activeAt.current >= IDLE_AFTER;
      activeAt.current = Date.now();
      if (wasIdle) announceAgain();
    };
    const events = ['keydown', 'pointerdown', 'pointermove'];
    for (const event of events) document.addEventListener(event, onActivity, { passive: true });
    return () => {
      for (const event of events) document.removeEventListener(event, onActivity);
    };
  }, []);
  useEffect(() => {
    const stopListening = onPresence((collection, id, viewers) => {
      const isSameRecord = collection.kind === kind && collection.id === list && id === record;
      if (isSameRecord && presence.isAnnounced()) setViewers(viewers);
    });
    // The page is closed, or returns from the browser's page cache.
    const onHide = () => void presence.end(true);
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) announceAgain();
    };
    addEventListener('pagehide', onHide);
    addEventListener('pageshow', onShow);
    return () => {
      stopListening();
      removeEventListener('pagehide', onHide);
      removeEventListener('pageshow', onShow);
      void presence.end();
    };
  }, [presence, kind, list, record]);

  return isError ? NOBODY : (data ?? NOBODY);
}
