import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import type { ArchiveDetail } from '#shared/answers.ts';
import { toFailure } from '#web/api/failure.ts';
import { useSession } from '#web/api/session.queries.ts';
import { type Corrected, selectionQuery, useCorrection } from './bulk-edit.queries.ts';
import { bulkBody } from './bulk-request.ts';
import { changeOf, type Draft } from './drafts.ts';
import { type Method, plan, type Problem } from './plan.ts';
import { countOutcomes } from './preview-rows.ts';
import { type Progress, readRevisions, type SelectionRead } from './read-revisions.ts';
import { readRefusal, withoutFieldProblems } from './refusal.ts';
import type { RevisionRead } from './revision-read.ts';
import type { BulkSelection } from './selection.ts';

const NONE: ReadonlyMap<string, readonly Problem[]> = new Map();
let openings = 0;

export type BulkEditState = ReturnType<typeof useBulkEdit>;

/** Everything a correction of many revisions knows and can do, without a word about how it looks. */
export function useBulkEdit(archive: ArchiveDetail, selection: BulkSelection) {
  const { username, role } = useSession();
  const client = useQueryClient();
  // The selection as it was when the clerk came here, however the list behind moves on.
  const [opened] = useState(() => ({ selection, number: ++openings }));
  const [progress, setProgress] = useState<Progress | null>(null);
  const query = selectionQuery(archive, opened.selection, opened.number, setProgress);
  const reading = useQuery(query);

  const [drafts, setDrafts] = useState<readonly Draft[]>([]);
  const [method, setMethod] = useState<Method>('PATCH');
  const [sendsSame, setSendsSame] = useState(false);
  const [takenOut, setTakenOut] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState(NONE);

  const found = reading.data?.kind === 'revisions' ? reading.data : null;
  const changes = useMemo(() => drafts.flatMap((draft) => changeOf(draft) ?? []), [drafts]);
  const planned = useMemo(
    () =>
      plan(archive, found?.revisions ?? [], changes, { method, user: { username, role }, refused }),
    [archive, found, changes, method, username, role, refused],
  );
  const counts = useMemo(
    () => countOutcomes(planned, found?.gone ?? [], takenOut),
    [planned, found, takenOut],
  );
  const toSend = useMemo(
    () =>
      planned.filter(
        ({ revision, outcome }) =>
          !takenOut.has(revision.revisionId) &&
          (outcome === 'changes' || (sendsSame && outcome === 'same')),
      ),
    [planned, takenOut, sendsSame],
  );
  const isReady =
    changes.length > 0 &&
    changes.length === drafts.length &&
    counts.fails === 0 &&
    toSend.length > 0;

  const correction = useCorrection(archive);
  const stop = useRef<AbortController>(null);
  const send = () => {
    if (!isReady || correction.isPending) return;
    stop.current = new AbortController();
    const body = bulkBody(toSend, changes, method);
    setRefused(NONE);
    correction.mutate(
      { method, body, signal: stop.current.signal },
      { onError: (error) => setRefused(readRefusal(toFailure(error)).byRevision) },
    );
  };

  const readAgain = useMutation({
    mutationFn: (ids: readonly string[]) =>
      readRevisions(archive, ids, { signal: new AbortController().signal }),
    onSuccess: (again, ids) => {
      client.setQueryData(query.queryKey, (before) => before && replaced(before, again, ids));
      setRefused((before) => new Map([...before].filter(([id]) => !ids.includes(id))));
      correction.reset();
    },
  });

  return {
    archive,
    selection: opened.selection,
    reading,
    progress,
    found,
    drafts,
    changes,
    method,
    setMethod,
    sendsSame,
    setSendsSame,
    takenOut,
    planned,
    counts,
    toSend,
    isReady,
    correction,
    refused,
    readAgain,
    send,

    setDrafts: (next: readonly Draft[]) => {
      setDrafts(next);
      // What the service had against other values says nothing about these.
      setRefused(withoutFieldProblems);
    },

    /** Takes revisions out of the correction, or puts them in again. */
    takeOut: (ids: readonly string[], out = true) => {
      setTakenOut((before) => {
        const next = new Set(before);
        for (const id of ids)
          if (out) next.add(id);
          else next.delete(id);
        return next;
      });
    },

    /** Waits no longer for the answer; what the service does with the request is not known then. */
    stopWaiting: () => {
      stop.current?.abort();
    },

    /** Goes on with the same revisions as they are after the correction. */
    continueWith: ({ revisions, etags }: Corrected) => {
      const answered = new Map(revisions.map((revision) => [revision.revisionId, revision]));
      const at = new Date().toISOString();
      client.setQueryData(query.queryKey, (before) =>
        before?.kind === 'revisions'
          ? {
              ...before,
              revisions: before.revisions.map((revision) => {
                const now = answered.get(revision.revisionId);
                const etag = etags[revision.revisionId];
                return now && etag !== undefined
                  ? { ...revision, ...now, etag, changedBy: username, changedAt: at }
                  : revision;
              }),
            }
          : before,
      );
      setDrafts([]);
      correction.reset();
    },
  };
}

function replaced(
  before: SelectionRead,
  again: ReadonlyMap<string, RevisionRead>,
  ids: readonly string[],
): SelectionRead {
  if (before.kind !== 'revisions') return before;
  const asked = new Set(ids);
  const isGone = (id: string) => asked.has(id) && !again.has(id);
  return {
    kind: 'revisions',
    revisions: before.revisions
      .filter(({ revisionId }) => !isGone(revisionId))
      .map((revision) => again.get(revision.revisionId) ?? revision),
    gone: [...before.gone, ...before.revisions.map((r) => r.revisionId).filter(isGone)],
  };
}
