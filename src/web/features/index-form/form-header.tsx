import * as texts from '#messages/index-form.ts';
import type { ReactNode } from 'react';
import { ChevronDownIcon, ChevronUpIcon, CloseIcon, LockIcon, drawIcon } from '#web/ui/icons.tsx';
import type { Viewer } from '#shared/contract/workspace-answers.ts';
import { ToolButton } from '#web/ui/tool-button.tsx';
import type { FormContext } from './form-context.ts';
import { KEYS } from './form-keys.ts';
import { PresenceNote } from '#web/presence/presence-note.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './index-form.module.css';

const UnlockIcon = drawIcon(<path d="M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 6.7-1.4" />);
const PreviewIcon = drawIcon(<path d="M4 5h16v14H4zM13 5v14M15.5 9h2m-2 3h2" />);

/** Whether another revision follows, or the end of the queue. */
export function hasNext({ queue, listPosition }: Pick<FormContext, 'queue' | 'listPosition'>) {
  return (
    listPosition !== null && (queue !== undefined || listPosition.index < listPosition.count - 1)
  );
}

interface FormHeaderProps extends Pick<
  FormContext,
  'queue' | 'listPosition' | 'onMove' | 'onClose' | 'preview'
> {
  readonly revisionId: string;
  /** the button that locks it; absent if the user may not */
  readonly lock?: ReactNode;
  /** who else has it open */
  readonly viewers?: readonly Viewer[];
}

/** The name of the revision; previous and next, lock, preview, close. */
export function FormHeader(props: FormHeaderProps) {
  const { revisionId, queue, listPosition, onMove, onClose, lock, preview, viewers = [] } = props;
  return (
    <header className={classes.head}>
      <h2 className={classes.title}>{texts.revision(revisionId)}</h2>
      {/* The bar of a queue has the position in it. */}
      {!queue && listPosition && listPosition.index < listPosition.count && (
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
          disabled={!hasNext(props)}
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
