import * as texts from '#messages/bulk-correction.ts';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { ListSelection } from '#web/api/list-selection.ts';
import { useNameOf } from '#web/api/display-names.queries.ts';
import { useSession } from '#web/api/session.queries.ts';
import { fieldAt, fieldsKey } from '#web/fields/index-data.ts';
import { notify } from '#web/ui/notify.ts';
import { useOnChange } from '#web/ui/use-on-change.ts';
import { bulkBody } from './bulk-request.ts';
import { type BulkEditValues, changeDraftsOf, resolverFor } from './change-drafts.ts';
import { type BulkEditInput, planFor, summarizeBulkEdit } from './bulk-edit-summary.ts';
import type { PlanProblem } from './plan.ts';
import { parseRejection, withoutFieldProblems } from './rejection.ts';
import {
  type Correction,
  type CorrectionResult,
  useSendCorrection,
  useReloadRevisions,
} from './bulk-edit.mutations.ts';
import { useSelectionRead, withCorrected, withReloaded } from './use-selection-read.ts';

const NONE: ReadonlyMap<string, readonly PlanProblem[]> = new Map();

export type BulkEditState = ReturnType<typeof useBulkEdit>;

/** The state and the actions of correcting many revisions, independent of the presentation. */
export function useBulkEdit(archive: ArchiveDetail, selection: ListSelection) {
  const user = useSession();
  const nameOf = useNameOf();
  const { found, changeFound, ...read } = useSelectionRead(archive, selection);
  const [rejected, setRejected] = useState(NONE);
  const [hasCorrected, setHasCorrected] = useState(false);
  const { correction, stopWaiting } = useSendCorrection(archive, (failure) =>
    setRejected(parseRejection(failure).byRevision),
  );
  const isCorrected = correction.data !== undefined;
  const { form, changes, method, includesUnchanged, drafts } = useChangesForm(archive, isCorrected);
  const { excluded, exclude } = useExcluded();
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

  const input: BulkEditInput = useMemo(
    () => ({ archive, found, drafts, method, rejected, user, nameOf }),
    [archive, found, drafts, method, rejected, user, nameOf],
  );
  // Typing stays responsive while the effect on thousands of revisions is computed again.
  const deferred = useDeferredValue(input);
  const planned = useMemo(() => planFor(deferred), [deferred]);
  const summary = useMemo(
    () => summarizeBulkEdit(planned, includesUnchanged, excluded),
    [planned, includesUnchanged, excluded],
  );

  /** The correction by values of the form; null: it cannot be sent, as the preview says. */
  const toCorrection = (values: BulkEditValues): Correction | null => {
    // The key that sends may have completed a value (a date) just now, before the next render.
    const isTyped = JSON.stringify(values.changes) !== JSON.stringify(changes);
    const sent = {
      ...input,
      method: values.method,
      drafts: changeDraftsOf(archive, values.changes),
      rejected: isTyped ? withoutFieldProblems(rejected) : rejected,
    };
    const now = summarizeBulkEdit(planFor(sent), values.includesUnchanged, excluded);
    if (!now.isReady) return null;
    const body = bulkBody(now.toSend, now.changes, sent.method);
    return { method: sent.method, body, planned: now.toSend };
  };

  const reload = useReloadRevisions(archive, (reloaded, ids) => {
    changeFound((before) => withReloaded(before, reloaded, ids));
    setRejected((before) => new Map([...before].filter(([id]) => !ids.includes(id))));
    correction.reset();
  });

  return {
    /** whether revisions were corrected since this was opened */
    hasCorrected,
    archive,
    ...read,
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
    toCorrection,
    corrected: () => setHasCorrected(true),
    /** Sends the form again. */
    sendAgain: () =>
      void form.handleSubmit((values) => {
        const again = toCorrection(values);
        if (again) correction.mutate(again, { onSuccess: () => setHasCorrected(true) });
      })(),

    exclude,

    /** Stops waiting for the answer; the effect of the request is unknown then. */
    stopWaiting,

    /** Continues with the same revisions in their corrected state, unless they have been read by a newer definition. */
    continueWith: (result: CorrectionResult) => {
      changeFound((before) => withCorrected(before, result, { archive, username: user.username }));
      form.reset((values) => ({ ...values, changes: [] }));
      correction.reset();
    },
  };
}

/** The revisions that the user has excluded from the correction. */
function useExcluded() {
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  return {
    excluded,
    /** excludes revisions, or includes them again */
    exclude: (ids: readonly string[], out = true) =>
      setExcluded((before) => {
        const others = [...before].filter((id) => !ids.includes(id));
        return new Set(out ? [...before, ...ids] : others);
      }),
  };
}

/** The form with the changes to make. Fields that the definition no longer has are removed from it. */
function useChangesForm(archive: ArchiveDetail, isCorrected: boolean) {
  const form = useForm<BulkEditValues>({
    mode: 'onChange',
    resolver: resolverFor(archive),
    defaultValues: { changes: [], method: 'PATCH', includesUnchanged: false },
  });
  const { control } = form;
  const [changes, method, includesUnchanged] = useWatch({
    control,
    name: ['changes', 'method', 'includesUnchanged'],
  });
  const drafts = useMemo(() => changeDraftsOf(archive, changes), [archive, changes]);
  useOnChange(fieldsKey(archive), () => {
    const removed = changes.filter(({ path }) => !fieldAt(archive, path));
    if (removed.length === 0 || isCorrected) return;
    form.setValue(
      'changes',
      changes.filter((change) => !removed.includes(change)),
    );
    const names = removed.map(({ path }) => path.slice(path.indexOf('.') + 1));
    notify(texts.removedFields(names.join(', ')));
  });
  return { form, changes, method, includesUnchanged, drafts };
}
