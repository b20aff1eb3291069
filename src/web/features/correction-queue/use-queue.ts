import * as texts from '#messages/queue.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { Queue, QueueRevision } from '#shared/contract/workspace-answers.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import { useIsSeenAs } from '#web/api/session.queries.ts';
import { notify, notifyFailure } from '#web/ui/notify.ts';
import { type QueueProgress, saveProgress } from './queue.mutations.ts';
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

/** The states that revisions were given here, by id. */
type States = ReadonlyMap<string, KnownRevision['state']>;

export type QueueNavigator = ReturnType<typeof useQueue>;

/** The navigation through a queue: the position, the outcome of each revision, and storing both. */
export function useQueue(archive: string, queue: Queue) {
  const { total } = queue;
  const { moveTo, storeState, ...progress } = useProgress(archive, queue);
  const { position } = progress;
  const [states, setStates] = useState<States>(new Map());
  const [notSaved, setNotSaved] = useState<readonly NotSaved[]>([]);
  const correctedAt = useRef(new Map<string, number>());

  const pages = useQueuePages(archive, queue, position);
  const at = (index: number, present = states): KnownRevision | undefined => {
    const known = pages.revisionAt(index);
    return known && { ...known, state: present.get(known.revisionId) ?? known.state };
  };
  const current = position < total ? at(position) : undefined;

  /** the position before or after the present one, without revisions that no longer exist */
  const neighbour = (by: 1 | -1, present: States): number => {
    const { to, missing } = stepFrom(position, by, total, (index) => at(index, present));
    const [first] = missing;
    if (first !== undefined) notify(texts.revisionsDeleted({ count: missing.length, id: first }));
    return to;
  };
  const clearNotSaved = (revisionId: string) =>
    setNotSaved((before) => before.filter((each) => each.revisionId !== revisionId));
  const goTo = (index: number) => moveTo(index, []);
  /** the position of a revision, if it was corrected or loaded */
  const positionOf = (revisionId: string): number | undefined => {
    const corrected = correctedAt.current.get(revisionId);
    if (corrected !== undefined) return corrected;
    return pages.shown.find((each) => each.revisionId === revisionId)?.position;
  };
  const leaveAs = (state: QueueOutcome) => {
    if (!current) return;
    const { revisionId } = current;
    if (state === 'corrected') correctedAt.current.set(revisionId, position);
    // Saved, or deliberately passed: it has been visited again.
    clearNotSaved(revisionId);
    const now = new Map([...states, [revisionId, state]]);
    setStates(now);
    moveTo(neighbour(1, now), [{ revisionId, state }]);
  };
  /** leaves the present revision in its state */
  const pass = (by: 1 | -1) => {
    if (current) goTo(neighbour(by, states));
  };
  /** changes the state of a revision that the user has left */
  const changeState = (revisionId: string, state: 'corrected' | 'open') => {
    setStates((before) => new Map([...before, [revisionId, state]]));
    storeState({ revisionId, state });
  };

  return {
    queue,
    total,
    ...progress,
    error: pages.error,
    retry: pages.retry,
    /** undefined: not loaded yet, or after the last */
    current,
    atEnd: position >= total,
    /** the revision this many positions after the present one, if known */
    after: (by: number) => (position + by < total ? at(position + by) : undefined),
    before: (by: number) => (position - by >= 0 ? at(position - by) : undefined),
    /** Moves to the next one. A corrected revision stays corrected, and a viewed one is no longer skipped. */
    next: (done: QueueOutcome) => {
      const before = current?.state;
      if (done === 'unchanged') leaveAs(before === 'corrected' ? before : done);
      else if (done === 'skipped' && (before === 'corrected' || before === 'unchanged')) {
        pass(1);
      } else leaveAs(done);
    },
    back: () => {
      if (position >= total) goTo(stepFrom(total, -1, total, at).to);
      else pass(-1);
    },
    notSaved,
    /** A revision that the user has left could not be saved. */
    markNotSaved: (revisionId: string) => {
      const index = correctedAt.current.get(revisionId);
      if (index === undefined) return;
      setNotSaved((before) => [...before, { revisionId, position: index }]);
      changeState(revisionId, 'open');
    },
    /** The save of a revision was undone, so it is pending again; or redone. */
    markSaveState: (revisionId: string, done: boolean) => {
      if (positionOf(revisionId) !== undefined)
        changeState(revisionId, done ? 'corrected' : 'open');
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
      goTo(neighbour(1, now));
    },
  };
}

/** The position in a queue and the focused field, which are stored together with the states of revisions. */
function useProgress(archive: string, queue: Queue) {
  const client = useQueryClient();
  const { queueId } = queue;
  const [position, setPosition] = useState(queue.position);
  const [counts, setCounts] = useState(queue.counts);
  // The position at the time when an awaited answer arrives.
  const latestPosition = useRef(queue.position);
  const field = useRef(queue.field);

  const saving = useMemo(() => saveProgress(archive, queueId), [archive, queueId]);
  const { mutate } = useMutation({
    ...saving,
    onSuccess: (stored) => stored && setCounts(stored.counts),
    onError: (error) => notifyFailure(texts.positionNotStored(summary(toFailure(error)))),
  });
  const isSeenAs = useIsSeenAs();
  const store = (states: QueueProgress['states']) => {
    // An administrator who looks through the user's queue leaves the user's position where it is.
    if (!isSeenAs) mutate({ position: latestPosition.current, field: field.current, states });
  };
  // A user who leaves and returns at once must not find the position of the first opening.
  const leave = useEffectEvent(() =>
    rememberQueue(client, archive, queueId, {
      position: latestPosition.current,
      field: field.current,
      counts,
    }),
  );
  useEffect(() => () => leave(), []);
  return {
    position,
    counts,
    /** @param states those that the move has changed */
    moveTo: (index: number, states: QueueProgress['states']) => {
      latestPosition.current = index;
      setPosition(index);
      store(states);
    },
    storeState: (state: QueueProgress['states'][number]) => store([state]),
    /** The focused field, for the next form and the next session. */
    field: () => field.current,
    rememberField: (path: string) => {
      field.current = path;
    },
  };
}

/** The revisions of a queue, loaded page by page as they come near. */
function useQueuePages(archive: string, { queueId, total }: Queue, position: number) {
  const client = useQueryClient();
  const page = Math.floor(Math.min(position, total - 1) / QUEUE_PAGE);
  const reading = useQuery(queuePageQuery(archive, queueId, page));
  useQuery({
    ...queuePageQuery(archive, queueId, page + 1),
    enabled: position % QUEUE_PAGE > PREFETCH_FROM && (page + 1) * QUEUE_PAGE < total,
  });
  return {
    error: reading.error,
    retry: () => void reading.refetch(),
    /** those of the page with the position */
    shown: reading.data ?? [],
    /** undefined: not loaded yet */
    revisionAt: (index: number): QueueRevision | undefined => {
      const pageOfIndex = Math.floor(index / QUEUE_PAGE);
      const { queryKey } = queuePageQuery(archive, queueId, pageOfIndex);
      const revisions = pageOfIndex === page ? reading.data : client.getQueryData(queryKey);
      return revisions?.[index % QUEUE_PAGE];
    },
  };
}
