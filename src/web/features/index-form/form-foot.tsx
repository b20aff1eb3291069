import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { OverflowMenu } from '#web/ui/overflow-menu.tsx';
import { keyLabel } from '#web/ui/shortcuts.ts';
import { KEYS } from './form-keys.ts';
import classes from './form-foot.module.css';
import type { SaveMethod } from './request-body.ts';

interface FormFootProps {
  /** how many fields are changed */
  readonly changed: number;
  /** the revision that was saved last, where nothing was done since */
  readonly saved: string | null;
  /** what the field is for in which the cursor is; '' for nothing to say */
  readonly hint: string;
  /** whether any field has such a text: its room is kept then */
  readonly hasHints: boolean;
  readonly sending: SaveMethod | 'lock' | null;
  readonly requestShown: boolean;
  readonly onRequest: () => void;
  /** @param next whether to go on to the next revision */
  readonly onSave: (method: SaveMethod, next: boolean) => void;
  readonly onRestore: () => void;
  /** the revision, or how many, whose save can be undone */
  readonly undoes: string | undefined;
  readonly onUndo: () => void;
  /** what the keys would do now */
  readonly aids?: ReactNode;
}

/** Saving, and the keys for it. */
export function FormFoot(props: FormFootProps) {
  const { changed, sending } = props;
  return (
    <footer className={classes.foot}>
      {/* Screen readers have it from the field itself. */}
      {props.hasHints && (
        <p className={classes.hint} aria-hidden="true" title={props.hint}>
          {props.hint}
        </p>
      )}
      {props.aids}
      <div className={classes.buttons}>
        <Button
          type="submit"
          loading={sending === 'PATCH'}
          rightSection={<Kbd keys={KEYS.save} />}
          disabled={changed === 0}
          className={classes.primary ?? ''}
        >
          Save changes
        </Button>
        <Button
          variant="default"
          onClick={() => props.onSave('PATCH', true)}
          rightSection={<Kbd keys={KEYS.saveAndNext} />}
        >
          {changed === 0 ? 'Next' : 'Save and next'}
        </Button>
      </div>
      <div className={classes.words}>
        <span role="status" className={wordsClass(changed, props.saved)}>
          {changedWords(changed)}
        </span>
        {changed === 0 && props.saved !== null && (
          <span role="status" className={classes.saved}>
            {props.saved} saved
          </span>
        )}
        {changed > 0 && (
          <button
            type="button"
            className={classes.quiet}
            title={keyLabel(KEYS.restoreAll)}
            onClick={props.onRestore}
          >
            Restore all
          </button>
        )}
        {changed === 0 && props.undoes !== undefined && (
          <button
            type="button"
            className={classes.quiet}
            title={`Undo the last save  ${keyLabel(KEYS.undo)}`}
            onClick={props.onUndo}
          >
            Undo in {props.undoes}
          </button>
        )}
        <OverflowMenu loading={sending === 'PUT'}>
          {(Menu) => (
            <>
              <Menu.Item
                title="Validates every field, changed or not, and saves them"
                rightSection={<Key keys={KEYS.saveAll} />}
                disabled={sending !== null}
                onClick={() => props.onSave('PUT', false)}
              >
                Validate all and save
              </Menu.Item>
              <Menu.Item
                title="Shows what saving sends to the service"
                rightSection={<Key keys={KEYS.request} />}
                onClick={props.onRequest}
              >
                {props.requestShown ? 'Hide request' : 'Preview request'}
              </Menu.Item>
            </>
          )}
        </OverflowMenu>
      </div>
    </footer>
  );
}

/** The key of a command. The command is named by its words alone. */
function Key({ keys }: { readonly keys: string }) {
  return (
    <span aria-hidden="true">
      <Kbd keys={keys} />
    </span>
  );
}

const WHY_READ_ONLY = {
  gone: 'It was deleted, so it cannot be changed.',
  locked: 'It can be changed again when the lock is gone.',
  rights: 'You may read this archive, not change it.',
} as const;

/** Stands in place of the foot where nothing can be saved. */
export function ReadOnlyFoot({
  why,
  children,
}: {
  readonly why: keyof typeof WHY_READ_ONLY;
  readonly children: ReactNode;
}) {
  return (
    <div className={classes.readOnly}>
      {WHY_READ_ONLY[why]}
      {children}
    </div>
  );
}

/** Where it says what is saved, the eye need not be told as well that nothing is changed. */
function wordsClass(changed: number, saved: string | null): string | undefined {
  if (changed > 0) return classes.changed;
  return saved === null ? undefined : classes.heard;
}

function changedWords(changed: number): string {
  if (changed === 0) return 'Nothing changed';
  return changed === 1 ? '1 field changed' : `${changed} fields changed`;
}
