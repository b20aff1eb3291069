import * as texts from '#messages/index-form.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { type Resolver, useForm } from 'react-hook-form';
import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import { type ApiFailure, summary, toFailure } from '#web/api/failure.ts';
import { nameOfIn } from '#web/api/display-names.queries.ts';
import type { RevisionRead } from '#web/api/revisions.queries.ts';
import { type ArchiveField, fieldsOf } from '#web/fields/index-data.ts';
import { setServiceErrors } from '#web/ui/form/service-errors.ts';
import { notify } from '#web/ui/notify.ts';
import { fieldProblem } from '#web/fields/field-model.ts';
import {
  withoutConflicts,
  compareVersions,
  type ConflictComparison,
  resolveConflicts,
} from './conflict.ts';
import type { Drafts } from './drafts.ts';
import {
  changedBetween,
  type FormEdits,
  editsOf,
  type FormValues,
  inputName,
  valuesOf,
} from './form-values.ts';
import { buildBody, type SaveMethod } from './request-body.ts';
import {
  ConflictError,
  isOwnVersion,
  lockRevision,
  type Saved,
  saveRevision,
  type SaveRequest,
} from './revision.mutations.ts';
import { useFindings } from './findings/use-findings.ts';
import { type CarriedOverValues, withCarriedOverValues } from './carried-over-values.ts';

/** Another version to compare with the user's edits; `method` is the save that failed because of it, if any. */
interface Conflict {
  readonly theirs: RevisionRead;
  readonly method: SaveMethod | null;
}

/** A field that someone else changed while the user had no edits in it. */
interface Merge {
  readonly label: string;
  readonly by: string;
  readonly at: string;
}
/** By the fields' paths. */
export type FieldMerges = ReadonlyMap<string, Merge>;

/**
 * `unchanged`: there was nothing to send; `invalid`: an editor contains no valid value; `busy`: another save is in
 * progress.
 */
export type SaveOutcome = 'saved' | 'unchanged' | 'invalid' | 'conflict' | 'failed' | 'busy';

interface RevisionFormOptions {
  readonly archive: ArchiveDetail;
  /** the revision as last read */
  readonly read: RevisionRead;
  readonly drafts: Drafts;
  readonly isReadOnly: boolean;
  readonly onSaved: (saved: SaveRequest, after: RevisionDetail) => void;
  /** values that are inserted when the form is opened; a draft's own edits replace them */
  readonly carriedOverValues: CarriedOverValues;
}

/** The state of one revision's form: its editors, the version that they edit, saving and its errors. */
export function useRevisionForm(options: RevisionFormOptions) {
  const { archive, read, drafts, onSaved, carriedOverValues } = options;
  const client = useQueryClient();
  const { revisionId } = read.revision;
  const fields = useMemo(() => fieldsOf(archive), [archive]);
  const [draft] = useState(() => drafts.get(revisionId));
  const [base, setBase] = useState<RevisionRead>(draft?.base ?? read);
  // The version being edited at this moment; react-hook-form reports changes before React has rendered.
  const current = useRef(base);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [merged, setMerged] = useState<FieldMerges>(NOTHING_MERGED);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const isSaving = useRef(false);
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => void (isMounted.current = false);
  }, []);

  const form = useForm<FormValues>({
    defaultValues: valuesOf(fields, base.revision),
    mode: 'onChange',
    resolver: resolverFor(fields, base.revision),
  });
  /** Puts edits over the stored values, which stay the default values: the edited fields are dirty. */
  const setEdits = (edits: FormEdits, revision: RevisionDetail) =>
    form.reset(valuesOf(fields, revision, edits), { keepDefaultValues: true, keepErrors: true });
  const [edited, setEdited] = useState<ReadonlySet<string>>(() => {
    // Before the editors are rendered for the first time.
    setEdits(withCarriedOverValues(carriedOverValues, draft?.edits), base.revision);
    return new Set(editsOf(fields, base.revision, form.getValues()).keys());
  });
  const isEditable = !options.isReadOnly && conflict === null;
  const findings = useFindings({ archive, fields, form, base, isEditable });
  const shownEdits = useRef<ReadonlySet<string>>(edited);
  const editsNow = () =>
    editsOf(
      fields,
      current.current.revision,
      form.getValues(),
      (at) => form.getFieldState(inputName(at)).isDirty,
    );
  const storeEdits = (edits: FormEdits) => {
    drafts.set(revisionId, { base: current.current, edits });
    // Setting an equal state would render the form again.
    const shown = shownEdits.current;
    if (shown.size === edits.size && [...shown].every((path) => edits.has(path))) return;
    shownEdits.current = new Set(edits.keys());
    setEdited(shownEdits.current);
  };
  const storeChange = useEffectEvent((name: string | undefined) => {
    // Without a name it is a reset: `rebaseOn` keeps the edits itself.
    if (name !== undefined) storeEdits(editsNow());
  });
  useEffect(
    () =>
      form.subscribe({ formState: { values: true }, callback: ({ name }) => storeChange(name) }),
    [form],
  );

  /** Replaces the version that is being edited; edits stay. */
  const rebaseOn = (next: RevisionRead, edits: FormEdits, keepErrors = false) => {
    current.current = next;
    setBase(next);
    storeEdits(edits);
    form.reset(valuesOf(fields, next.revision), { keepErrors });
    if (edits.size > 0) setEdits(edits, next.revision);
  };

  /** Replaces the version under the edits, except in the fields that both have changed. */
  const merge = (
    theirs: RevisionRead,
    edits: FormEdits,
    comparison: ConflictComparison,
  ): string[] => {
    const { conflicts, changedByOther } = comparison;
    const mine = new Map(conflicts.map(({ path }) => [path, 'mine'] as const));
    const { revision, etag } = current.current;
    // The next save must detect the open conflicts: it is sent for the previous version.
    const now =
      conflicts.length === 0
        ? theirs
        : { revision: withoutConflicts(revision, theirs.revision, comparison), etag };
    rebaseOn(now, resolveConflicts(edits, comparison, mine), true);
    const { changedBy, changedAt: at } = theirs.revision;
    const by = nameOfIn(client)(changedBy);
    if (changedByOther.length > 0 && !isOwnVersion(archive.table, revisionId, theirs.etag)) {
      setMerged((before) => {
        const merges = new Map(before);
        for (const { path, label } of changedByOther) merges.set(path, { label, by, at });
        return merges;
      });
    }
    return changedByOther.map(({ label }) => label);
  };

  /** Adopts a newly read version, or more data about this one. */
  const adoptVersion = (now: RevisionRead) => {
    if (now.etag === current.current.etag) {
      current.current = now;
      setBase(now);
      return;
    }
    if (isSaving.current || conflict !== null) return;
    const edits = editsNow();
    merge(now, edits, compareVersions(archive, current.current.revision, now.revision, edits));
  };
  const adoptRead = useEffectEvent(adoptVersion);
  // The newest version comes from the service; it updates the form state, not only the rendering.
  // oxlint-disable-next-line react/set-state-in-effect
  useEffect(() => adoptRead(read), [read]);

  const save = useMutation(saveRevision(archive.table, revisionId));
  const lock = useMutation(lockRevision(archive.table, revisionId));

  /** Shows why a write failed; messages of the service for a field become the field's errors. */
  const showFailure = (error: unknown) => {
    const reason = toFailure(error);
    if (!isMounted.current) {
      notify(texts.notSavedInBackground({ id: revisionId, reason: summary(reason) }));
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
    setServiceErrors(form, { ...reason, errors }, (path) =>
      inputName(fields.findIndex((field) => field.path === path)),
    );
  };

  const requestFor = (edits: FormEdits, method: SaveMethod): SaveRequest | null => {
    if (method === 'PATCH' && edits.size === 0) return null;
    const built = buildBody(archive, current.current.revision, edits, method);
    return built.ok ? { base: current.current, method, body: built.body } : null;
  };

  const send = async (method: SaveMethod): Promise<SaveOutcome> => {
    const request = requestFor(editsNow(), method);
    if (!request) return 'unchanged';
    let sent = structuredClone(form.getValues());
    const rebase = (newest: RevisionRead): SaveRequest | null => {
      const edits = editsNow();
      const comparison = compareVersions(archive, current.current.revision, newest.revision, edits);
      if (comparison.conflicts.length > 0) throw new ConflictError(newest);
      const labels = merge(newest, edits, comparison);
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
      return requestFor(editsNow(), method);
    };
    try {
      const saved: Saved = await save.mutateAsync({ request, rebase });
      if (!saved.request) return 'unchanged';
      // Text typed during the call is not saved yet.
      rebaseOn(saved.now, changedBetween(fields, sent, form.getValues()));
      onSaved(saved.request, saved.now.revision);
      return 'saved';
    } catch (error) {
      if (error instanceof ConflictError) {
        setConflict({ theirs: error.theirs, method });
        return 'conflict';
      }
      showFailure(error);
      return 'failed';
    }
  };

  /** Validates and sends the edits (PATCH), or every field (PUT). */
  const submit = async (method: SaveMethod): Promise<SaveOutcome> => {
    if (isSaving.current) return 'busy';
    isSaving.current = true;
    setFailure(null);
    setMerged(NOTHING_MERGED);
    let outcome: SaveOutcome = 'invalid';
    try {
      const [blocked] = findings.blocked();
      if (blocked !== undefined) {
        form.setFocus(inputName(fields.findIndex(({ path }) => path === blocked)));
        return outcome;
      }
      await form.handleSubmit(async () => {
        outcome = await send(method);
      })();
      return outcome;
    } finally {
      isSaving.current = false;
    }
  };

  const setLock = async (locked: RevisionDetail['locked']) => {
    setFailure(null);
    try {
      await lock.mutateAsync({ locked, ifMatch: current.current.etag });
    } catch (error) {
      showFailure(error);
    }
  };

  return {
    form,
    fields,
    base,
    /** the present findings in the form */
    findings,
    /** the save or lock in progress */
    sending: save.isPending
      ? save.variables.request.method
      : lock.isPending
        ? ('lock' as const)
        : null,
    /** why the last write failed */
    failure,
    conflict,
    /** opens or closes the comparison with another version */
    setConflict,
    /** the changes by others in the revision since it was opened or saved */
    merged,
    /** adopts the version that was read, once no field with changes by both is open */
    adoptNewest: () => adoptVersion(read),
    edits: editsNow,
    /** the paths of the fields that are edited */
    edited,
    /** whether there are edits that can be sent now */
    canSend: () =>
      !isSaving.current &&
      findings.blocked().length === 0 &&
      requestFor(editsNow(), 'PATCH') !== null,
    submit,
    setLock,
    rebaseOn,
    restoreAll: () => {
      setFailure(null);
      rebaseOn(current.current, new Map());
    },
  };
}

const NOTHING_MERGED: FieldMerges = new Map();

/**
 * Validates the edited fields by the archive's definition. An unedited stored value may violate today's definition: it
 * is not sent.
 */
function resolverFor(
  fields: readonly ArchiveField[],
  revision: RevisionDetail,
): Resolver<FormValues> {
  return (values) => {
    const edits = editsOf(fields, revision, values);
    const errors = fields.map((field) => {
      const value = edits.get(field.path);
      const message = value === undefined ? null : fieldProblem(field.definition, value);
      return message === null ? undefined : { type: 'value', message };
    });
    return errors.some((error) => error !== undefined)
      ? { values: {}, errors: { values: errors } }
      : { values, errors: {} };
  };
}

export type RevisionFormState = ReturnType<typeof useRevisionForm>;
