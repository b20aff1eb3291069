import * as texts from '#messages/index-form.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import { nameOfIn } from '#web/api/display-names.queries.ts';
import { type ApiFailure, summary, toFailure } from '#web/api/failure.ts';
import type { VersionedRevision } from '#web/api/revisions.queries.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import { setServiceErrors } from '#web/ui/form/service-errors.ts';
import { notify, notifyFailure } from '#web/ui/notify.ts';
import { compareVersions, type ConflictComparison, resolveConflicts } from './conflict.ts';
import type { FormFindings } from './findings/findings-store.ts';
import { changedBetween, type FormEdits, inputName } from './form-values.ts';
import { buildBody, type SaveMethod } from './request-body.ts';
import {
  ConflictError,
  lockRevision,
  type Saved,
  saveRevision,
  type SaveRequest,
} from './revision.mutations.ts';
import type { DraftForm } from './use-draft-form.ts';

/**
 * `unchanged`: there was nothing to send; `invalid`: an editor contains no valid value; `busy`: another save is in
 * progress.
 */
export type SaveOutcome = 'saved' | 'unchanged' | 'invalid' | 'conflict' | 'failed' | 'busy';

export interface RevisionWritesOptions {
  readonly archive: ArchiveDetail;
  readonly fields: readonly ArchiveField[];
  readonly draftForm: DraftForm;
  readonly findings: FormFindings;
  /** merges a newer version into the form. @returns the labels of the fields that only the other user has changed */
  readonly merge: (
    theirs: VersionedRevision,
    edits: FormEdits,
    comparison: ConflictComparison,
  ) => readonly string[];
  /** a save starts */
  readonly onSubmit: () => void;
  readonly onSaved: (saved: SaveRequest, after: RevisionDetail) => void;
  /** the save was rejected because both have changed a field */
  readonly onConflict: (theirs: VersionedRevision, method: SaveMethod) => void;
}

/** Saving and locking the revision of a form, and why that failed. */
export function useRevisionWrites(options: RevisionWritesOptions) {
  const { archive, fields, draftForm, findings } = options;
  const { form, base, currentBase } = draftForm;
  const isSaving = useRef(false);
  const isMounted = useIsMounted();
  const { failure, clearFailure, showFailure } = useShowFailure(options, isMounted);
  const { send, sending, hasEdits } = useSend({ ...options, isMounted, onFailure: showFailure });
  const lock = useMutation(lockRevision(archive.table, base.revision.revisionId));
  return {
    /** why the last write failed */
    failure,
    clearFailure,
    isSaving: () => isSaving.current,
    /** the save or lock in progress */
    sending: sending ?? (lock.isPending ? ('lock' as const) : null),
    /** whether there are edits that can be sent now */
    canSend: () => !isSaving.current && findings.blocked().length === 0 && hasEdits(),
    /** Validates and sends the edits (PATCH), or every field (PUT). */
    submit: async (method: SaveMethod): Promise<SaveOutcome> => {
      if (isSaving.current) return 'busy';
      isSaving.current = true;
      clearFailure();
      options.onSubmit();
      let outcome: SaveOutcome = 'invalid';
      try {
        const [blocked] = findings.blocked();
        if (blocked !== undefined) {
          form.setFocus(inputOf(fields, blocked));
          return outcome;
        }
        await form.handleSubmit(async () => {
          outcome = await send(method);
        })();
        return outcome;
      } finally {
        isSaving.current = false;
      }
    },
    setLock: async (locked: RevisionDetail['locked']) => {
      clearFailure();
      try {
        await lock.mutateAsync({ locked, ifMatch: currentBase().etag });
      } catch (error) {
        showFailure(error);
      }
    },
  };
}

function useIsMounted(): RefObject<boolean> {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => void (isMounted.current = false);
  }, []);
  return isMounted;
}

const inputOf = (fields: readonly ArchiveField[], path: string) =>
  inputName(fields.findIndex((field) => field.path === path));

/** Why the last write failed. Messages of the service for a field become the field's errors. */
function useShowFailure(
  { fields, draftForm: { form, base } }: Pick<RevisionWritesOptions, 'fields' | 'draftForm'>,
  isMounted: RefObject<boolean>,
) {
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const showFailure = (error: unknown) => {
    const reason = toFailure(error);
    if (!isMounted.current) {
      const id = base.revision.revisionId;
      notifyFailure(texts.notSavedInBackground({ id, reason: summary(reason) }));
      return;
    }
    setFailure(reason);
    if (reason.kind !== 'api') return;
    // The first field in form order gets the focus.
    const errors = Object.fromEntries(
      fields.flatMap(({ path }) => {
        const messages = reason.errors[path];
        return messages ? [[path, messages]] : [];
      }),
    );
    setServiceErrors(form, { ...reason, errors }, (path) => inputOf(fields, path));
  };
  return { failure, clearFailure: () => setFailure(null), showFailure };
}

interface SendOptions extends Omit<RevisionWritesOptions, 'findings' | 'onSubmit'> {
  readonly isMounted: RefObject<boolean>;
  readonly onFailure: (error: unknown) => void;
}

/** Sends the edits of the form, over a newer version if someone else has changed other fields. */
function useSend(options: SendOptions) {
  const { archive, fields, merge, isMounted, onSaved, onConflict, onFailure } = options;
  const { form, base, currentBase, edits: editsNow, rebaseOn, removeSaved } = options.draftForm;
  const { revisionId } = base.revision;
  const client = useQueryClient();
  const save = useMutation(saveRevision(archive.table, revisionId));

  const requestFor = (
    edits: FormEdits,
    method: SaveMethod,
    base = currentBase(),
  ): SaveRequest | null => {
    if (method === 'PATCH' && edits.size === 0) return null;
    const built = buildBody(archive, base.revision, edits, method);
    return built.ok ? { base, method, body: built.body } : null;
  };

  const send = async (method: SaveMethod): Promise<SaveOutcome> => {
    const request = requestFor(editsNow(), method);
    if (!request) return 'unchanged';
    let sent = structuredClone(form.getValues());
    let sentEdits = editsNow();
    const rebase = (newest: VersionedRevision): SaveRequest | null => {
      const edits = editsNow();
      const comparison = compareVersions(archive, currentBase().revision, newest.revision, edits);
      if (comparison.conflicts.length > 0) throw new ConflictError(newest);
      const isOpen = isMounted.current;
      const labels = isOpen
        ? merge(newest, edits, comparison)
        : comparison.changedByOther.map(({ label }) => label);
      if (labels.length > 0) {
        notify(
          texts.bothKept({
            by: nameOfIn(client)(newest.revision.changedBy),
            labels: labels.join(', '),
            id: revisionId,
          }),
        );
      }
      sent = structuredClone(form.getValues());
      sentEdits = edits;
      if (isOpen) return requestFor(editsNow(), method);
      return requestFor(resolveConflicts(edits, comparison, new Map()), method, newest);
    };
    try {
      const saved: Saved = await save.mutateAsync({ request, rebase });
      if (!isMounted.current) removeSaved(sentEdits, saved.request?.base ?? null, saved.now);
      if (!saved.request) return 'unchanged';
      // Text typed during the call is not saved yet.
      if (isMounted.current) {
        rebaseOn(saved.now, changedBetween(fields, sent, form.getValues()));
      }
      onSaved(saved.request, saved.now.revision);
      return 'saved';
    } catch (error) {
      if (error instanceof ConflictError) {
        onConflict(error.theirs, method);
        return 'conflict';
      }
      onFailure(error);
      return 'failed';
    } finally {
      // If the form was closed before the save began, nothing else ends its hold on the mutation, which holds the form.
      if (!isMounted.current) save.reset();
    }
  };

  return {
    send,
    /** the method of the save in progress; null: none is */
    sending: save.isPending ? save.variables.request.method : null,
    /** whether there are edits, all of them valid */
    hasEdits: () => requestFor(editsNow(), 'PATCH') !== null,
  };
}
