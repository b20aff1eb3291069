import * as texts from '#messages/queue.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { Queue } from '#shared/contract/workspace-answers.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import { notify } from '#web/ui/notify.ts';
import { saveProgress } from './queue.mutations.ts';
import { QUEUE_PAGE, queuePageQuery, rememberQueue } from './queue.queries.ts';
import { type KnownRevision, stepFrom } from './queue-navigator.ts';

/** The outcome of a revision; `unchanged`: viewed and left unchanged. */
export type QueueOutcome = 'corrected' | 'unchanged' | 'skipped';

/** A revision that the user has left and that then could not be saved: its draft waits at its position. */
interface NotSaved {
  readonly revisionId: string;
  readonly position: number;
}

/** From this position within a page on, the next page is prefetched. */
const PREFETCH_FROM = QUEUE_PAGE - 50;

export type QueueNavigator = ReturnType<typeof useQueue>;

/** The navigation through a queue: the position, the outcome of each revision, and storing both. */
export function useQueue(archive: string, queue: Queue) {
  const client = useQueryClient();
  const { queueId, total } = queue;
  const [position, setPosition] = useState(queue.position);
  const [states, setStates] = useState<ReadonlyMap<string, KnownRevision['state']>>(new Map());
  const [counts, setCounts] = useState(queue.counts);
  const [notSaved, setNotSaved] = useState<readonly NotSaved[]>([]);
  const correctedAt = useRef(new Map<string, number>());
  // The position at the time when an awaited answer arrives.
  const latestPosition = useRef(queue.position);
  const field = useRef(queue.field);

  const page = Math.floor(Math.min(position, total - 1) / QUEUE_PAGE);
  const reading = useQuery(queuePageQuery(archive, queueId, page));
  useQuery({
    ...queuePageQuery(archive, queueId, page + 1),
    enabled: position % QUEUE_PAGE > PREFETCH_FROM && (page + 1) * QUEUE_PAGE < total,
  });

  const at = (index: number): KnownRevision | undefined => {
    const there = Math.floor(index / QUEUE_PAGE);
    const { queryKey } = queuePageQuery(archive, queueId, there);
    const revisions = there === page ? reading.data : client.getQueryData(queryKey);
    const known = revisions?.[index % QUEUE_PAGE];
    return known && { ...known, state: states.get(known.revisionId) ?? known.state };
  };
  const current = position < total ? at(position) : undefined;

  const progress = useMemo(() => saveProgress(archive, queueId), [archive, queueId]);
  const { mutate: store } = useMutation({
    ...progress,
    onSuccess: (stored) => stored && setCounts(stored.counts),
    onError: (error) => notify(texts.positionNotStored(summary(toFailure(error)))),
  });
  // A user who leaves and returns at once must not find the position of the first opening.
  const leave = useEffectEvent(() =>
    rememberQueue(client, archive, queueId, {
      position: latestPosition.current,
      field: field.current,
      counts,
    }),
  );
  useEffect(() => () => leave(), []);

  const moveTo = (index: number) => {
    latestPosition.current = index;
    setPosition(index);
  };
  const go = (by: 1 | -1, now: ReadonlyMap<string, KnownRevision['state']>) => {
    const known = (index: number) => {
      const there = at(index);
      return there && { ...there, state: now.get(there.revisionId) ?? there.state };
    };
    const { to, missing } = stepFrom(position, by, total, known);
    const [first] = missing;
    if (first !== undefined) notify(texts.revisionsDeleted({ count: missing.length, id: first }));
    moveTo(to);
    return to;
  };
  const clearNotSaved = (revisionId: string) =>
    setNotSaved((before) => before.filter((each) => each.revisionId !== revisionId));
  const goTo = (index: number) => {
    moveTo(index);
    store({ position: index, field: field.current, states: [] });
  };
  /** the position of a revision, if it was corrected or loaded */
  const positionOf = (revisionId: string): number | undefined => {
    const corrected = correctedAt.current.get(revisionId);
    if (corrected !== undefined) return corrected;
    const inPage = (reading.data ?? []).find((each) => each.revisionId === revisionId);
    return inPage?.position;
  };
  const leaveAs = (state: QueueOutcome | null, by: 1 | -1) => {
    if (!current) return;
    const { revisionId } = current;
    if (state === 'corrected') correctedAt.current.set(revisionId, position);
    // Saved, or deliberately passed: it has been visited again.
    if (state !== null) clearNotSaved(revisionId);
    const now = state === null ? states : new Map([...states, [revisionId, state]]);
    if (state !== null) setStates(now);
    const to = go(by, now);
    const changed = state === null ? [] : [{ revisionId, state }];
    store({ position: to, field: field.current, states: changed });
  };

  return {
    queue,
    total,
    position,
    counts,
    /** the pages of the queue are loaded as they come near */
    error: reading.error,
    retry: () => void reading.refetch(),
    /** undefined: not loaded yet, or after the last */
    current,
    atEnd: position >= total,
    /** the revision this many positions after the present one, if known */
    after: (by: number) => (position + by < total ? at(position + by) : undefined),
    before: (by: number) => (position - by >= 0 ? at(position - by) : undefined),
    /** Moves to the next one. A corrected revision stays corrected, and a viewed one is no longer skipped. */
    next: (done: QueueOutcome) => {
      const before = current?.state;
      if (done === 'unchanged') leaveAs(before === 'corrected' ? before : done, 1);
      else if (done === 'skipped' && (before === 'corrected' || before === 'unchanged')) {
        leaveAs(null, 1);
      } else leaveAs(done, 1);
    },
    back: () => {
      if (position >= total) {
        const { to } = stepFrom(total, -1, total, at);
        moveTo(to);
        store({ position: to, field: field.current, states: [] });
      } else leaveAs(null, -1);
    },
    notSaved,
    /** A revision that the user has left could not be saved. */
    markNotSaved: (revisionId: string) => {
      const index = correctedAt.current.get(revisionId);
      if (index === undefined) return;
      setStates((before) => new Map([...before, [revisionId, 'open' as const]]));
      setNotSaved((before) => [...before, { revisionId, position: index }]);
      const states = [{ revisionId, state: 'open' as const }];
      store({ position: latestPosition.current, field: field.current, states });
    },
    /** The save of a revision was undone, so it is pending again; or redone. */
    markSaveState: (revisionId: string, done: boolean) => {
      if (positionOf(revisionId) === undefined) return;
      const state = done ? ('corrected' as const) : ('open' as const);
      setStates((before) => new Map([...before, [revisionId, state]]));
      const states = [{ revisionId, state }];
      store({ position: latestPosition.current, field: field.current, states });
    },
    /** whether a revision is known to be in this queue */
    contains: (revisionId: string) => positionOf(revisionId) !== undefined,
    goTo,
    /** Moves to a revision that was visited; false: it is not known to be in this queue. */
    goToRevision: (revisionId: string) => {
      const index = positionOf(revisionId);
      if (index === undefined) return false;
      goTo(index);
      return true;
    },
    /** The present revision was deleted: informs the user and moves on. */
    skipDeleted: () => {
      if (!current) return;
      notify(texts.revisionsDeleted({ count: 1, id: current.revisionId }));
      clearNotSaved(current.revisionId);
      const now = new Map([...states, [current.revisionId, 'gone' as const]]);
      setStates(now);
      const to = go(1, now);
      store({ position: to, field: field.current, states: [] });
    },
    /** The focused field, for the next form and the next session. */
    field: () => field.current,
    rememberField: (path: string) => {
      field.current = path;
    },
  };
}
