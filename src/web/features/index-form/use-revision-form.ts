import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { nameOfIn } from '#web/api/display-names.queries.ts';
import type { VersionedRevision } from '#web/api/revisions.queries.ts';
import { isSameValue } from '#web/fields/field-model.ts';
import { fieldsOf, storedIn } from '#web/fields/index-data.ts';
import type { CarriedOverValues } from './carried-over-values.ts';
import {
  withoutConflicts,
  compareVersions,
  type ConflictComparison,
  resolveConflicts,
} from './conflict.ts';
import type { Drafts } from './drafts.ts';
import { useFindings } from './findings/use-findings.ts';
import type { FormEdits } from './form-values.ts';
import type { SaveMethod } from './request-body.ts';
import { isOwnVersion } from './revision.mutations.ts';
import { useDraftForm } from './use-draft-form.ts';
import { type RevisionWritesOptions, useRevisionWrites } from './use-revision-writes.ts';

/** Another version to compare with the user's edits; `method` is the save that failed because of it, if any. */
interface Conflict {
  readonly theirs: VersionedRevision;
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

const NOTHING_MERGED: FieldMerges = new Map();

interface RevisionFormOptions {
  readonly archive: ArchiveDetail;
  /** the revision as last read */
  readonly latest: VersionedRevision;
  readonly drafts: Drafts;
  readonly isReadOnly: boolean;
  readonly onSaved: RevisionWritesOptions['onSaved'];
  /** values that are inserted when the form is opened; a draft's own edits replace them */
  readonly carriedOverValues: CarriedOverValues;
}

/** The state of one revision's form: its editors, the version that they edit, saving and its errors. */
export function useRevisionForm(options: RevisionFormOptions) {
  const { archive, latest, drafts, isReadOnly, onSaved, carriedOverValues } = options;
  const client = useQueryClient();
  const { revisionId } = latest.revision;
  const fields = useMemo(() => fieldsOf(archive), [archive]);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [merged, setMerged] = useState<FieldMerges>(NOTHING_MERGED);
  const draftForm = useDraftForm({ fields, latest, drafts, carriedOverValues });
  const { form, base, currentBase, edits, edited, rebaseOn } = draftForm;
  const isEditable = !isReadOnly && conflict === null;
  const findings = useFindings({ archive, fields, form, base, isEditable });

  /** Replaces the version under the edits, except in the fields that both have changed. */
  const merge = (
    theirs: VersionedRevision,
    edits: FormEdits,
    comparison: ConflictComparison,
  ): string[] => {
    const { conflicts, changedByOther } = comparison;
    const mine = new Map(conflicts.map(({ path }) => [path, 'mine'] as const));
    const { revision, etag } = currentBase();
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

  const { clearFailure, isSaving, ...writes } = useRevisionWrites({
    archive,
    fields,
    draftForm,
    findings,
    merge,
    onSubmit: () => setMerged(NOTHING_MERGED),
    onSaved,
    onConflict: (theirs, method) => setConflict({ theirs, method }),
  });

  /** Adopts a newly read version, or more data about this one. */
  const adoptVersion = (now: VersionedRevision) => {
    const { revision, etag } = currentBase();
    if (now.etag === etag) {
      // After a change of the definition or of rights, the same version is read with other fields.
      const isSame = fields.every((field) =>
        isSameValue(storedIn(revision, field), storedIn(now.revision, field)),
      );
      if (isSame || isSaving()) draftForm.replaceBase(now);
      else rebaseOn(now, edits(), true);
      return;
    }
    if (isSaving() || conflict !== null) return;
    const mine = edits();
    merge(now, mine, compareVersions(archive, revision, now.revision, mine));
  };
  const adoptRead = useEffectEvent(adoptVersion);
  // The newest version comes from the service; it updates the form state, not only the rendering.
  // oxlint-disable-next-line react/set-state-in-effect
  useEffect(() => adoptRead(latest), [latest]);

  return {
    ...writes,
    form,
    fields,
    base,
    edits,
    edited,
    rebaseOn,
    /** whether the fields are shown and can be changed now */
    isEditable,
    /** the present findings in the form */
    findings,
    conflict,
    /** opens or closes the comparison with another version */
    setConflict,
    /** the changes by others in the revision since it was opened or saved */
    merged,
    /** adopts the version that was read, once no field with changes by both is open */
    adoptNewest: () => adoptVersion(latest),
    restoreAll: () => {
      clearFailure();
      rebaseOn(currentBase(), new Map());
    },
  };
}

export type RevisionFormState = ReturnType<typeof useRevisionForm>;
