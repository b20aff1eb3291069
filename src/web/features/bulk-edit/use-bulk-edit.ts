import * as texts from '#messages/bulk-correction.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { toFailure } from '#web/api/failure.ts';
import { useNameOf } from '#web/api/display-names.queries.ts';
import { useSession } from '#web/api/session.queries.ts';
import { fieldAt, fieldsKey, fitsDefinition } from '#web/fields/index-data.ts';
import { useUnsavedInput } from '#web/ui/form/unsaved-input.ts';
import { notify } from '#web/ui/notify.ts';
import { useOnChange } from '#web/ui/use-on-change.ts';
import { selectionQuery } from './bulk-edit.queries.ts';
import { bulkBody } from './bulk-request.ts';
import { type BulkEditValues, draftsOf } from './change-drafts.ts';
import { type BulkEditInput, summarizeBulkEdit, planFor } from './bulk-edit-summary.ts';
import type { PlanProblem } from './plan.ts';
import {
  type LoadedRevision,
  MAX_REVISIONS,
  type ReadProgress,
  type SelectionRead,
} from './read-revisions.ts';
import { parseRejection, withoutFieldProblems } from './rejection.ts';
import { type ListSelection, selectionSize } from '#web/api/list-selection.ts';
import { type CorrectionResult, useCorrection, useReloadRevisions } from './bulk-edit.mutations.ts';

const NONE: ReadonlyMap<string, readonly PlanProblem[]> = new Map();
let openings = 0;

export type OpenBulkEdit = ReturnType<typeof useBulkEdit>;

/** The state and the actions of correcting many revisions, independent of the presentation. */
export function useBulkEdit(archive: ArchiveDetail, selection: ListSelection) {
  const user = useSession();
  const nameOf = useNameOf();
  const client = useQueryClient();
  // The selection at the time of opening, however the list behind it changes.
  const [opened] = useState(() => ({ selection, number: ++openings }));
  const [progress, setProgress] = useState<ReadProgress | null>(null);
  const query = selectionQuery(archive, opened.selection, opened.number, setProgress);
  const reading = useQuery({ ...query, enabled: selectionSize(opened.selection) <= MAX_REVISIONS });

  const form = useForm<BulkEditValues>({
    mode: 'onChange',
    defaultValues: { changes: [], method: 'PATCH', includesUnchanged: false },
  });
  const { control } = form;
  const [changes, method, includesUnchanged] = useWatch({
    control,
    name: ['changes', 'method', 'includesUnchanged'],
  });
  const drafts = useMemo(() => draftsOf(archive, changes), [archive, changes]);
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const [rejected, setRejected] = useState(NONE);
  const [hasCorrected, setHasCorrected] = useState(false);
  useEffect(
    () =>
      form.subscribe({
        name: ['changes', 'method'],
        formState: { values: true },
        // Errors about other values do not apply to these.
        callback: () => setRejected(withoutFieldProblems),
      }),
    [form],
  );

  // With the values of another definition, renamed fields would be empty, and an undo would store them so.
  const found = useMemo(
    () =>
      reading.data?.kind === 'revisions' &&
      reading.data.revisions.every((revision) => fitsDefinition(revision, archive))
        ? reading.data
        : null,
    [reading.data, archive],
  );
  const input: BulkEditInput = useMemo(
    () => ({ archive, found, drafts, method, rejected, user, nameOf }),
    [archive, found, drafts, method, rejected, user, nameOf],
  );
  // Typing stays responsive while the preview of thousands of revisions is recomputed.
  const deferredInput = useDeferredValue(input);
  const plan = useMemo(() => planFor(deferredInput), [deferredInput]);
  const summary = useMemo(
    () => summarizeBulkEdit(plan, includesUnchanged, excluded),
    [plan, includesUnchanged, excluded],
  );

  const correction = useCorrection(archive);
  useUnsavedInput(drafts.length > 0 && !correction.data);
  useOnChange(fieldsKey(archive), () => {
    const removed = changes.filter(({ path }) => !fieldAt(archive, path));
    if (removed.length === 0 || correction.data) return;
    form.setValue(
      'changes',
      changes.filter((change) => !removed.includes(change)),
    );
    const names = removed.map(({ path }) => path.slice(path.indexOf('.') + 1));
    notify(texts.removedFields(names.join(', ')));
  });
  const stop = useRef<AbortController>(null);
  const submit = (values: BulkEditValues) => {
    // The key that sends may have completed a value (a date) just now, before the next render.
    const isTyped = JSON.stringify(values.changes) !== JSON.stringify(changes);
    const sent = {
      ...input,
      method: values.method,
      drafts: draftsOf(archive, values.changes),
      rejected: isTyped ? withoutFieldProblems(rejected) : rejected,
    };
    const now = summarizeBulkEdit(planFor(sent), values.includesUnchanged, excluded);
    if (!now.isReady || correction.isPending) return;
    stop.current = new AbortController();
    const body = bulkBody(now.toSend, now.changes, sent.method);
    setRejected(NONE);
    correction.mutate(
      { method: sent.method, body, planned: now.toSend, signal: stop.current.signal },
      { onError: (error) => setRejected(parseRejection(toFailure(error)).byRevision) },
    );
  };

  const reload = useReloadRevisions(archive, (again, ids) => {
    client.setQueryData(query.queryKey, (before) => before && withReloaded(before, again, ids));
    setRejected((before) => new Map([...before].filter(([id]) => !ids.includes(id))));
    correction.reset();
  });

  return {
    /** whether revisions were corrected since this was opened */
    hasCorrected: hasCorrected || correction.data !== undefined,
    archive,
    selection: opened.selection,
    reading,
    progress,
    found,
    form,
    drafts,
    method,
    includesUnchanged,
    excluded,
    ...summary,
    correction,
    rejected,
    reload,
    send: () => void form.handleSubmit(submit)(),

    /** Excludes revisions from the correction, or includes them again. */
    exclude: (ids: readonly string[], out = true) => {
      setExcluded((before) => {
        const next = new Set(before);
        for (const id of ids)
          if (out) next.add(id);
          else next.delete(id);
        return next;
      });
    },

    /** Stops waiting for the answer; the effect of the request is unknown then. */
    stopWaiting: () => {
      stop.current?.abort();
    },

    /** Continues with the same revisions in their corrected state, unless they have been read by a newer definition. */
    continueWith: ({ revisions, etags }: CorrectionResult) => {
      const answered = new Map(revisions.map((revision) => [revision.revisionId, revision]));
      client.setQueryData(query.queryKey, (before) =>
        before?.kind === 'revisions'
          ? {
              ...before,
              revisions: before.revisions.map((revision) => {
                const now = answered.get(revision.revisionId);
                const etag = etags[revision.revisionId];
                return now && etag !== undefined && fitsDefinition(now, archive)
                  ? { ...revision, ...now, etag, changedBy: user.username }
                  : revision;
              }),
            }
          : before,
      );
      setHasCorrected(true);
      form.setValue('changes', []);
      correction.reset();
    },
  };
}

function withReloaded(
  before: SelectionRead,
  again: ReadonlyMap<string, LoadedRevision>,
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
