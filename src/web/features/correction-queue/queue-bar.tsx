import * as texts from '#messages/queue.ts';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { QUEUE_KEYS } from './queue-keys.ts';
import { countsText } from './counts-text.ts';
import shared from '#web/ui/shared.module.css';
import classes from './queue.module.css';
import type { QueueNavigator } from './use-queue.ts';

interface QueueBarProps {
  readonly queueNavigator: QueueNavigator;
  /** revisions that the user has passed with unsaved changes */
  readonly unsaved: readonly string[];
  readonly onUnsaved: (revisionId: string) => void;
  readonly onSkip: () => void;
  readonly onBack: () => void;
  /** the label of the field that the list is about, such as a missing one */
  readonly listField: string | undefined;
  readonly onListField: () => void;
  /** the last element, such as the flag */
  readonly children: ReactNode;
}

/** The position in the queue, and its commands. */
export function QueueBar(props: QueueBarProps) {
  const { queueNavigator, onSkip, onBack, listField, onListField, children } = props;
  useShortcut(QUEUE_KEYS.listField, onListField, {
    inFields: true,
    enabled: listField !== undefined,
  });
  const unsaved = props.unsaved.filter(
    (id) => !queueNavigator.notSaved.some(({ revisionId }) => revisionId === id),
  );
  const { position, total, counts, atEnd } = queueNavigator;
  const [firstNotSaved] = queueNavigator.notSaved;
  const [firstUnsaved] = unsaved;
  const shown = Math.min(position + 1, total);
  return (
    <div className={classes.bar} role="toolbar" aria-label={texts.queue}>
      <div
        className={classes.track}
        role="progressbar"
        aria-label={texts.progress}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={Math.min(position, total)}
      >
        <span style={{ width: `${(100 * Math.min(position, total)) / total}%` }} />
      </div>
      <span className={classes.position} aria-live="polite">
        {atEnd ? texts.done(total) : texts.position({ shown, total })}
      </span>
      {listField !== undefined && (
        <Button
          className={classes.listField ?? ''}
          variant="subtle"
          title={texts.toFieldHint}
          onClick={onListField}
          rightSection={<Kbd keys={QUEUE_KEYS.listField} />}
        >
          {texts.toField(listField)}
        </Button>
      )}
      <span className={`${shared.muted} ${shared.truncated} ${classes.counts}`}>
        {countsText(counts)}
      </span>
      {firstNotSaved && (
        <Button
          color="red"
          variant="light"
          onClick={() => queueNavigator.goTo(firstNotSaved.position)}
        >
          {texts.notSaved(queueNavigator.notSaved.length)}
        </Button>
      )}
      {firstUnsaved !== undefined && (
        <Button variant="light" onClick={() => props.onUnsaved(firstUnsaved)}>
          {texts.passedUnsaved(unsaved.length)}
        </Button>
      )}
      <span className={classes.tools}>
        {children}
        <Button
          variant="subtle"
          color="gray"
          disabled={position === 0}
          onClick={onBack}
          rightSection={<Kbd keys="alt+ArrowUp" />}
        >
          {texts.back}
        </Button>
        <Button
          variant="default"
          disabled={atEnd}
          onClick={onSkip}
          rightSection={<Kbd keys="alt+ArrowDown" />}
        >
          {texts.skip}
        </Button>
      </span>
    </div>
  );
}
