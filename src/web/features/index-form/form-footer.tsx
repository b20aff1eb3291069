import * as texts from '#messages/index-form.ts';
import { seenAsCannotChange } from '#messages/common.ts';
import type { ReactNode } from 'react';
import { fieldAt } from '#web/fields/index-data.ts';
import { Button } from '#web/ui/button.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { OverflowMenu } from '#web/ui/overflow-menu.tsx';
import { keyLabel } from '#web/ui/shortcuts.ts';
import { KEYS } from './form-keys.ts';
import shared from '#web/ui/shared.module.css';
import hidden from '#web/ui/visually-hidden.module.css';
import classes from './form-footer.module.css';
import { KeyHints } from './key-hints.tsx';
import type { FormModel } from './use-form-model.ts';

interface FormFooterProps {
  readonly model: FormModel;
  readonly requestShown: boolean;
}

/** The description of the focused field, what the keys do there, and the save buttons. */
export function FormFooter(props: FormFooterProps) {
  const { archive, state, undo, focus, commands } = props.model;
  const { current } = focus;
  const changed = state.edited.size;
  const saved = undo.lastRecord;
  const field = current === null ? undefined : fieldAt(archive, current);
  const hint = field?.definition?.description ?? '';
  // If any field has a description, its space is reserved.
  const hasHints = archive.indexFieldDefinitions.some(({ description }) => description !== '');
  return (
    <footer className={classes.foot}>
      {/* Screen readers get it from the field itself. */}
      {hasHints && (
        <p className={`${shared.note} ${classes.hint}`} aria-hidden="true" title={hint}>
          {hint}
        </p>
      )}
      <KeyHints model={props.model} label={field?.label ?? ''} />
      <div className={classes.buttons}>
        <Button
          type="submit"
          loading={state.sending === 'PATCH'}
          rightSection={<Kbd keys={KEYS.save} />}
          disabled={changed === 0}
          className={classes.primary ?? ''}
        >
          {texts.save}
        </Button>
        <Button
          variant="default"
          onClick={commands.saveAndNext}
          rightSection={<Kbd keys={KEYS.saveAndNext} />}
        >
          {changed === 0 ? texts.next : texts.saveAndNext}
        </Button>
      </div>
      <div className={`${shared.note} ${classes.words}`}>
        <span role="status" className={statusClass(changed, saved)}>
          {texts.fieldsChanged(changed)}
        </span>
        {changed === 0 && saved !== null && (
          <span role="status" className={classes.saved}>
            {texts.saved(saved)}
          </span>
        )}
        {changed > 0 && (
          <button
            type="button"
            className={classes.quiet}
            title={keyLabel(KEYS.restoreAll)}
            onClick={commands.restoreAll}
          >
            {texts.restoreAll}
          </button>
        )}
        {changed === 0 && undo.step && (
          <button
            type="button"
            className={classes.quiet}
            title={texts.undoByKey(keyLabel(KEYS.undo))}
            onClick={() => void commands.undoSave()}
          >
            {texts.undoIn(undo.step.label)}
          </button>
        )}
        <FooterMenu {...props} />
      </div>
    </footer>
  );
}

function FooterMenu({ model: { state, commands }, requestShown }: FormFooterProps) {
  return (
    <OverflowMenu loading={state.sending === 'PUT'}>
      {(Menu) => (
        <>
          <Menu.Item
            title={texts.validateAllHint}
            rightSection={<Kbd keys={KEYS.saveAll} aria-hidden />}
            disabled={state.sending !== null}
            onClick={commands.saveAll}
          >
            {texts.validateAll}
          </Menu.Item>
          <Menu.Item
            title={texts.previewRequestHint}
            rightSection={<Kbd keys={KEYS.request} aria-hidden />}
            onClick={commands.request}
          >
            {requestShown ? texts.hideRequest : texts.previewRequest}
          </Menu.Item>
        </>
      )}
    </OverflowMenu>
  );
}

/** Replaces the foot if nothing can be saved. */
export function ReadOnlyFooter({
  why,
  children,
}: {
  readonly why: keyof typeof texts.readOnly | 'seenAs';
  readonly children: ReactNode;
}) {
  return (
    <div className={`${shared.muted} ${classes.readOnly}`}>
      {why === 'seenAs' ? seenAsCannotChange : texts.readOnly[why]}
      {children}
    </div>
  );
}

/** If the foot names the saved revision, "nothing changed" is only for screen readers. */
function statusClass(changed: number, saved: string | null): string | undefined {
  if (changed > 0) return classes.changed;
  return saved === null ? undefined : hidden.hidden;
}
