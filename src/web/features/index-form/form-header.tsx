import * as texts from '#messages/index-form.ts';
import type { ReactNode } from 'react';
import { ChevronDownIcon, ChevronUpIcon, CloseIcon, LockIcon, drawIcon } from '#web/ui/icons.tsx';
import type { Viewer } from '#shared/contract/workspace-answers.ts';
import { ToolButton } from '#web/ui/tool-button.tsx';
import { KEYS } from './form-keys.ts';
import { PresenceNote } from '#web/presence/presence-note.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './index-form.module.css';

const UnlockIcon = drawIcon(<path d="M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 6.7-1.4" />);
const PreviewIcon = drawIcon(<path d="M4 5h16v14H4zM13 5v14M15.5 9h2m-2 3h2" />);

/** The position of the revision in the list; null if it is not in it. */
export interface ListPosition {
  /** from 0 */
  readonly index: number;
  readonly count: number;
  /** something follows after the last one, such as the end of a queue */
  readonly beyond?: boolean;
  /** the page shows it elsewhere */
  readonly shownElsewhere?: boolean;
}

/** Whether nothing follows. */
export function isLast({ index, count, beyond = false }: ListPosition): boolean {
  return !beyond && index >= count - 1;
}

interface FormHeaderProps {
  readonly revisionId: string;
  readonly listPosition: ListPosition | null;
  readonly onMove: (by: 1 | -1) => void;
  readonly onClose: () => void;
  /** the button that locks it; absent if the user may not */
  readonly lock?: ReactNode;
  /** who else has it open */
  readonly viewers?: readonly Viewer[];
  readonly preview?: { readonly shown: boolean; readonly toggle: () => void } | undefined;
}

/** The name of the revision; previous and next, lock, preview, close. */
export function FormHeader(props: FormHeaderProps) {
  const { revisionId, listPosition, onMove, onClose, lock, preview, viewers = [] } = props;
  return (
    <header className={classes.head}>
      <h2 className={classes.title}>{texts.revision(revisionId)}</h2>
      {listPosition && !listPosition.shownElsewhere && listPosition.index < listPosition.count && (
        <span className={`${shared.note} ${classes.position}`}>
          {texts.listPosition({ position: listPosition.index + 1, total: listPosition.count })}
        </span>
      )}
      <PresenceNote viewers={viewers} />
      <div className={classes.tools}>
        <ToolButton
          label={texts.previousRevision}
          keys={KEYS.previous}
          disabled={!listPosition || listPosition.index === 0}
          onClick={() => onMove(-1)}
        >
          <ChevronUpIcon />
        </ToolButton>
        <ToolButton
          label={texts.nextRevision}
          keys={KEYS.next}
          disabled={!listPosition || isLast(listPosition)}
          onClick={() => onMove(1)}
        >
          <ChevronDownIcon />
        </ToolButton>
        {lock}
        {preview && (
          <ToolButton
            label={preview.shown ? texts.hideDocument : texts.showDocument}
            pressed={preview.shown}
            onClick={preview.toggle}
          >
            <PreviewIcon />
          </ToolButton>
        )}
        <ToolButton label={texts.closeForm} onClick={onClose}>
          <CloseIcon />
        </ToolButton>
      </div>
    </header>
  );
}

interface LockButtonProps {
  readonly isLocked: boolean;
  readonly disabled: boolean;
  /** locks it (true) or unlocks it */
  readonly onChange: (locks: boolean) => void;
}

export function LockButton({ isLocked, disabled, onChange }: LockButtonProps) {
  return (
    <ToolButton
      label={isLocked ? texts.unlock : texts.lock}
      pressed={isLocked}
      disabled={disabled}
      onClick={() => onChange(!isLocked)}
    >
      {isLocked ? <LockIcon /> : <UnlockIcon />}
    </ToolButton>
  );
}
