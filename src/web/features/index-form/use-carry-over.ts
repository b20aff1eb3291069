import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { FieldValue } from '#web/fields/field-model.ts';
import {
  type CarriedOverValues,
  excludeRevision,
  nextCarriedOverValues,
} from './carried-over-values.ts';
import { asSaved, type FormEdits } from './form-values.ts';
import type { InputAssist } from './input-assist.ts';
import type { RevisionFormState } from './use-revision-form.ts';

export interface CarryOverOptions {
  readonly archive: ArchiveDetail;
  readonly state: RevisionFormState;
  readonly inputAssist: InputAssist;
  /** the queue that the form belongs to; null: the list */
  readonly queue: string | null;
}

/** The values that are carried over to the next forms, and what the form stores for those when it is left or saved. */
export function useCarryOver({ archive, state, inputAssist, queue }: CarryOverOptions) {
  const { revisionId } = state.base.revision;
  const carriedOver = useSyncExternalStore(inputAssist.subscribe, () =>
    inputAssist.carriedOver(queue),
  );
  const change = (next: (values: CarriedOverValues) => CarriedOverValues) =>
    inputAssist.changeCarriedOver(queue, next);
  const storeFormState = (saved: boolean, edits: FormEdits) => {
    const values = asSaved(state.fields, state.form.getValues());
    (saved ? inputAssist.addCorrected : inputAssist.addViewed)({ revisionId, values });
    const edited = new Set(edits.keys());
    change((before) =>
      nextCarriedOverValues(archive, before, { revisionId, values, edited, saved }),
    );
  };
  const leave = useEffectEvent(() => storeFormState(false, state.edits()));
  useEffect(() => () => leave(), []);
  return {
    carriedOver,
    /** carries the value of a field over, or stops that */
    toggle: (path: string, value: FieldValue) =>
      change((before) => {
        const after = new Map(before);
        if (!after.delete(path)) {
          after.set(path, { value, from: revisionId, excludedRevisions: new Set([revisionId]) });
        }
        return after;
      }),
    /** does not carry the value of a field over into this revision any more */
    exclude: (path: string) => change((before) => excludeRevision(before, revisionId, [path])),
    excludeAll: () => change((before) => excludeRevision(before, revisionId, before.keys())),
    saved: (edits: FormEdits) => storeFormState(true, edits),
  };
}
