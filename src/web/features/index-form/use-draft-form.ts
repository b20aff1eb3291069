import * as texts from '#messages/index-form.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Resolver, useForm } from 'react-hook-form';
import type { RevisionDetail } from '#shared/contract/answers.ts';
import type { VersionedRevision } from '#web/api/revisions.queries.ts';
import { notify } from '#web/ui/notify.ts';
import { fieldProblem, isSameValue } from '#web/fields/field-model.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import { type CarriedOverValues, withCarriedOverValues } from './carried-over-values.ts';
import type { Draft } from './draft-storage.ts';
import type { Drafts } from './drafts.ts';
import { editsOf, type FormEdits, type FormValues, inputName, valuesOf } from './form-values.ts';

interface DraftFormOptions {
  readonly fields: readonly ArchiveField[];
  /** the revision as last read */
  readonly latest: VersionedRevision;
  readonly drafts: Drafts;
  /** values that are inserted when the form is opened; a draft's own edits replace them */
  readonly carriedOverValues: CarriedOverValues;
}

/** The editors of a revision's fields over the version that they edit; the edits are stored as its draft. */
export function useDraftForm({ fields, latest, drafts, carriedOverValues }: DraftFormOptions) {
  const { revisionId } = latest.revision;
  const [draft] = useState(() => openDraft(drafts.open(revisionId), fields, latest));
  const [base, setBase] = useState<VersionedRevision>(draft.base);
  // The version being edited at this moment; react-hook-form reports changes before React has rendered.
  const current = useRef(base);

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
    setEdits(withCarriedOverValues(carriedOverValues, draft.edits), base.revision);
    return new Set(editsOf(fields, base.revision, form.getValues()).keys());
  });
  const shownEdits = useRef<ReadonlySet<string>>(edited);
  const edits = () =>
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
    if (name !== undefined) storeEdits(edits());
  });
  useEffect(
    () =>
      form.subscribe({ formState: { values: true }, callback: ({ name }) => storeChange(name) }),
    [form],
  );

  const discardRemoved = useEffectEvent(() => {
    const stored = drafts.get(revisionId)?.edits ?? draft.edits;
    const removed = [...stored.keys()].filter((path) => fields.every((one) => one.path !== path));
    if (removed.length === 0) return;
    drafts.set(revisionId, draft);
    const names = removed.map((path) => path.slice(path.indexOf('.') + 1));
    notify(texts.editsOfRemoved(names.join(', ')));
  });
  useEffect(() => discardRemoved(), []);

  /** Replaces the version under the editors, or adds data about it. */
  const replaceBase = (next: VersionedRevision) => {
    current.current = next;
    setBase(next);
  };
  return {
    form,
    /** the version that is being edited */
    base,
    /** the same at this moment, which may not be rendered yet */
    currentBase: () => current.current,
    edits,
    /** the paths of the fields that are edited */
    edited,
    replaceBase,
    /**
     * Removes saved edits from the draft, once the form is closed: another form of the revision may have changed the
     * draft since.
     * @param from the version that the save has replaced; null: there was nothing left to send
     */
    removeSaved: (saved: FormEdits, from: VersionedRevision | null, now: VersionedRevision) => {
      const stored = drafts.get(revisionId);
      if (!stored) return;
      const left = [...stored.edits].filter(([path, value]) => {
        const same = saved.get(path);
        return same === undefined || !isSameValue(value, same);
      });
      // What others have changed as well is compared when the draft is opened.
      const base = from?.etag === stored.base.etag ? now : stored.base;
      drafts.set(revisionId, { base, edits: new Map(left) });
    },
    /** Replaces the version that is being edited; edits stay. */
    rebaseOn: (next: VersionedRevision, edits: FormEdits, keepErrors = false) => {
      replaceBase(next);
      storeEdits(edits);
      form.reset(valuesOf(fields, next.revision), { keepErrors });
      if (edits.size > 0) setEdits(edits, next.revision);
    },
  };
}

export type DraftForm = ReturnType<typeof useDraftForm>;

/**
 * The draft of a revision as its definition is now: without edits of fields that were renamed or retired since, and based on
 * values of all fields.
 */
function openDraft(
  stored: Draft | undefined,
  fields: readonly ArchiveField[],
  latest: VersionedRevision,
): Draft {
  const paths = new Set(fields.map(({ path }) => path));
  const edits = new Map([...(stored?.edits ?? [])].filter(([path]) => paths.has(path)));
  if (!stored || edits.size === 0) return { base: latest, edits };
  const { base } = stored;
  const names = new Set(base.revision.indexFields.map(({ name }) => name));
  const added = latest.revision.indexFields.filter(({ name }) => !names.has(name));
  if (added.length === 0) return { base, edits };
  const indexFields = [...base.revision.indexFields, ...added];
  return { base: { ...base, revision: { ...base.revision, indexFields } }, edits };
}

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
