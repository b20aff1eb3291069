import * as findingTexts from '#messages/findings.ts';
import type { Undo } from '#web/undo/use-undo.ts';
import { notify } from '#web/ui/notify.ts';
import { fieldPathOf } from './form-focus.ts';
import type { FormContext } from './form-context.ts';
import type { FormKey } from './form-keys.ts';
import type { FormFocus } from './use-form-focus.ts';
import type { FormInputAssist } from './use-input-assist.ts';
import type { RevisionFormState } from './use-revision-form.ts';
import type { FormSave } from './use-save.ts';

interface FormCommandsOptions extends Pick<FormContext, 'onBack' | 'onEnterNext' | 'onMove'> {
  readonly state: RevisionFormState;
  readonly isReadOnly: boolean;
  readonly focus: FormFocus;
  readonly assist: FormInputAssist;
  readonly undo: Undo;
  readonly save: FormSave['save'];
  /** shows or hides the request */
  readonly onToggleRequest: () => void;
}

/** The commands of the form, by their keys; and those that buttons run in other ways. */
export function useFormCommands(options: FormCommandsOptions) {
  const { state, isReadOnly, focus, assist, undo, save } = options;
  const { isEditable } = state;
  const isSending = state.sending !== null;

  const move = (by: 1 | -1) => {
    if (focus.isInside()) options.onEnterNext();
    options.onMove(by);
  };
  const restoreAll = () => {
    state.restoreAll();
    assist.restoredAll();
    // The button is removed with the edits; the focus must not be lost with it.
    focus.goTo(focus.current);
  };
  /** The first one at the focused field, else the first one in the form: only visible suggestions are applied. */
  const applySuggestion = () => {
    const all = focus.body.current?.querySelectorAll<HTMLElement>('[data-suggestion]') ?? [];
    const first = [...all].find((button) => fieldPathOf(button) === focus.current) ?? all[0];
    if (first) first.click();
    else notify(findingTexts.noSuggestion);
  };
  const redo = () => void (isSending || undo.redo());
  const commands: Readonly<Record<FormKey, () => void>> = {
    save: () => void save('PATCH', false),
    saveAll: () => void save('PUT', false),
    // Nothing can be saved in a form that is only read: the key moves on.
    saveAndNext: () => void (isReadOnly ? move(1) : save('PATCH', true)),
    next: () => move(1),
    previous: () => move(-1),
    request: options.onToggleRequest,
    back: options.onBack,
    copyPrevious: assist.copyPrevious,
    carryOver: assist.toggleCarryOverCurrent,
    nextOpen: () => void (isEditable && assist.jump(1)),
    previousOpen: () => void (isEditable && assist.jump(-1)),
    suggestion: () => void (isEditable && applySuggestion()),
    restoreField: assist.restoreCurrent,
    restoreAll: () => void (isEditable && restoreAll()),
    undo: () => void (isSending || assist.restoreInserted() || undo.undo()),
    redo,
    redoAlternative: redo,
  };
  return {
    ...commands,
    move,
    /** Undoes the last save, not what was inserted into the focused field. */
    undoSave: async () => {
      await undo.undo();
      if (document.activeElement === document.body) focus.goTo(focus.current);
    },
  };
}
