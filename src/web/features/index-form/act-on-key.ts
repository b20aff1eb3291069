import type { FormKey } from './form-keys.ts';
import type { Undo } from '#web/undo/use-undo.ts';
import type { SaveMethod } from './request-body.ts';
import type { FormInputAssist } from './use-input-assist.ts';

interface FormActions {
  readonly save: (method: SaveMethod, next: boolean) => Promise<void>;
  readonly move: (by: 1 | -1) => void;
  readonly restoreAll: () => void;
  /** applies the first suggestion of a check to the form */
  readonly suggestion: () => void;
  readonly request: () => void;
  readonly back: () => void;
  readonly assist: FormInputAssist;
  readonly undo: Pick<Undo, 'undo' | 'redo'>;
  /** nothing can be saved: *Save and next* only moves on */
  readonly readOnly: boolean;
  /** the fields are visible and can be changed now */
  readonly editable: boolean;
  readonly sending: boolean;
}

/** Runs the action of a form key. */
export function actOnKey(key: FormKey, form: FormActions): void {
  const { save, move, assist, undo, editable, sending } = form;
  const actions: Readonly<Record<FormKey, () => void>> = {
    save: () => void save('PATCH', false),
    saveAll: () => void save('PUT', false),
    saveAndNext: () => void (form.readOnly ? move(1) : save('PATCH', true)),
    next: () => move(1),
    previous: () => move(-1),
    request: form.request,
    back: form.back,
    ditto: assist.ditto,
    carryOver: assist.toggleCarryOverCurrent,
    nextOpen: () => void (editable && assist.jump(1)),
    previousOpen: () => void (editable && assist.jump(-1)),
    suggestion: () => void (editable && form.suggestion()),
    restoreField: assist.restoreCurrent,
    restoreAll: () => void (editable && form.restoreAll()),
    undo: () => void (sending || assist.restoreInserted() || undo.undo()),
    redo: () => void (sending || undo.redo()),
    redoAlternative: () => void (sending || undo.redo()),
  };
  actions[key]();
}
