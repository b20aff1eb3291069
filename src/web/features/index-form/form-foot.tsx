import * as texts from '#messages/index-form.ts';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { OverflowMenu } from '#web/ui/overflow-menu.tsx';
import { keyLabel } from '#web/ui/shortcuts.ts';
import { KEYS } from './form-keys.ts';
import classes from './form-foot.module.css';
import type { SaveMethod } from './request-body.ts';

interface FormFootProps {
  /** the number of changed fields */
  readonly changed: number;
  /** the revision that was saved last, if nothing was done since */
  readonly saved: string | null;
  /** the purpose of the focused field; '' for none */
  readonly hint: string;
  /** whether any field has such a text: its space is reserved then */
  readonly hasHints: boolean;
  readonly sending: SaveMethod | 'lock' | null;
  readonly requestShown: boolean;
  readonly onRequest: () => void;
  /** @param next whether to move on to the next revision */
  readonly onSave: (method: SaveMethod, next: boolean) => void;
  readonly onRestore: () => void;
  /** the revision, or the number of revisions, whose save can be undone */
  readonly undoLabel: string | undefined;
  readonly onUndo: () => void;
  /** hints about the keys */
  readonly keyHints?: ReactNode;
}

/** The save buttons and their shortcuts. */
export function FormFoot(props: FormFootProps) {
  const { changed, sending } = props;
  return (
    <footer className={classes.foot}>
      {/* Screen readers get it from the field itself. */}
      {props.hasHints && (
        <p className={classes.hint} aria-hidden="true" title={props.hint}>
          {props.hint}
        </p>
      )}
      {props.keyHints}
      <div className={classes.buttons}>
        <Button
          type="submit"
          loading={sending === 'PATCH'}
          rightSection={<Kbd keys={KEYS.save} />}
          disabled={changed === 0}
          className={classes.primary ?? ''}
        >
          {texts.save}
        </Button>
        <Button
          variant="default"
          onClick={() => props.onSave('PATCH', true)}
          rightSection={<Kbd keys={KEYS.saveAndNext} />}
        >
          {changed === 0 ? texts.next : texts.saveAndNext}
        </Button>
      </div>
      <div className={classes.words}>
        <span role="status" className={statusClass(changed, props.saved)}>
          {texts.fieldsChanged(changed)}
        </span>
        {changed === 0 && props.saved !== null && (
          <span role="status" className={classes.saved}>
            {texts.saved(props.saved)}
          </span>
        )}
        {changed > 0 && (
          <button
            type="button"
            className={classes.quiet}
            title={keyLabel(KEYS.restoreAll)}
            onClick={props.onRestore}
          >
            {texts.restoreAll}
          </button>
        )}
        {changed === 0 && props.undoLabel !== undefined && (
          <button
            type="button"
            className={classes.quiet}
            title={texts.undoByKey(keyLabel(KEYS.undo))}
            onClick={props.onUndo}
          >
            {texts.undoIn(props.undoLabel)}
          </button>
        )}
        <OverflowMenu loading={sending === 'PUT'}>
          {(Menu) => (
            <>
              <Menu.Item
                title={texts.validateAllHint}
                rightSection={<Key keys={KEYS.saveAll} />}
                disabled={sending !== null}
                onClick={() => props.onSave('PUT', false)}
              >
                {texts.validateAll}
              </Menu.Item>
              <Menu.Item
                title={texts.previewRequestHint}
                rightSection={<Key keys={KEYS.request} />}
                onClick={props.onRequest}
              >
                {props.requestShown ? texts.hideRequest : texts.previewRequest}
              </Menu.Item>
            </>
          )}
        </OverflowMenu>
      </div>
    </footer>
  );
}

/** The shortcut of a command, not part of its accessible name. */
function Key({ keys }: { readonly keys: string }) {
  return (
    <span aria-hidden="true">
      <Kbd keys={keys} />
    </span>
  );
}

/** Replaces the foot if nothing can be saved. */
export function ReadOnlyFoot({
  why,
  children,
}: {
  readonly why: keyof typeof texts.readOnly;
  readonly children: ReactNode;
}) {
  return (
    <div className={classes.readOnly}>
      {texts.readOnly[why]}
      {children}
    </div>
  );
}

/** If the foot names the saved revision, "nothing changed" is only for screen readers. */
function statusClass(changed: number, saved: string | null): string | undefined {
  if (changed > 0) return classes.changed;
  return saved === null ? undefined : classes.heard;
}
