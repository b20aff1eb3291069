import * as texts from '#messages/index-form.ts';
import { type RefObject, useRef } from 'react';
import { discardFormKeys, bufferFormKeys, mayTakeKeys } from '#web/ui/form-key-buffer.ts';
import type { LookUpAutofill } from '#web/fields/look-up-autofill.ts';
import { notify } from '#web/ui/notify.ts';
import type { UndoHistory } from '#web/undo/undo-history.ts';
import { hasNext } from './form-header.tsx';
import type { FormContext } from './form-context.ts';
import { type FormEdits } from './form-values.ts';
import type { SaveMethod } from './request-body.ts';
import type { RevisionFormState } from './use-revision-form.ts';

interface SaveOptions extends Pick<
  FormContext,
  'queue' | 'listPosition' | 'onMove' | 'onEnterNext'
> {
  readonly state: RevisionFormState;
  readonly isReadOnly: boolean;
  readonly autofill: LookUpAutofill;
  readonly history: UndoHistory;
  /** the element with the fields; null: the form is no longer mounted */
  readonly body: RefObject<HTMLElement | null>;
  /** stores the edits of a save for the next forms */
  readonly onSubmitted: (edits: FormEdits) => void;
}

/** Saving the form, and moving on to the next one. */
export function useSave(options: SaveOptions) {
  const { state, autofill, body, queue, listPosition, onMove } = options;
  const { revisionId } = state.base.revision;
  // Whether the last save was to be followed by the next revision: the same applies to the save after its conflict.
  const continuesToNext = useRef(false);

  /** Moves on at once, while the revision is being saved; its draft remains until it is saved. */
  const saveAndMove = async ({ onFinished, onNotSaved }: NonNullable<FormContext['queue']>) => {
    const edits = state.edits();
    const saving = state.submit('PATCH');
    options.history.waitFor(saving);
    options.onSubmitted(edits);
    onFinished('corrected');
    onMove(1);
    const outcome = await saving;
    // Unchanged: someone else has stored the same values meanwhile, so nothing is left to send.
    if (outcome !== 'saved' && outcome !== 'unchanged') onNotSaved(revisionId, outcome);
  };

  const moveOn = (isUnchanged: boolean) => {
    if (isUnchanged) queue?.onFinished('unchanged');
    if (hasNext(options)) {
      if (mayTakeKeys(body.current)) options.onEnterNext();
      onMove(1);
    } else {
      discardFormKeys();
      notify(listPosition ? texts.isLast : texts.isNotListed);
    }
  };

  const save = async (method: SaveMethod, next: boolean) => {
    if (options.isReadOnly) return;
    // What is typed from now on is meant for the next form.
    if (next) bufferFormKeys();
    if (autofill.isPending()) {
      await autofill.settle();
      // The user has moved on meanwhile: the edits are saved, and the next form is already shown.
      if (body.current === null) {
        await state.submit(method);
        return;
      }
    }
    continuesToNext.current = next;
    if (queue && next && method === 'PATCH' && state.canSend()) return saveAndMove(queue);
    const edits = state.edits();
    const outcome = await state.submit(method);
    if (outcome === 'saved') {
      options.onSubmitted(edits);
      if (!next) notify(texts.revisionSaved(revisionId));
      queue?.onFinished('corrected');
      // In any case, whatever the user does next.
      if (!next) queue?.onSaveStateChange(revisionId, true);
    } else if (outcome !== 'unchanged') return discardFormKeys();
    // While the answer was awaited the user may have opened another revision, and be typing there.
    if (next && body.current === null) return;
    if (next) moveOn(outcome === 'unchanged');
    else if (outcome === 'unchanged') notify(texts.nothingSent);
  };
  return {
    /** @param next whether to move on to the next revision */
    save,
    /** saves after a conflict was resolved, and moves on if the previous save was to */
    saveAgain: (method: SaveMethod) => save(method, continuesToNext.current),
  };
}

export type FormSave = ReturnType<typeof useSave>;
