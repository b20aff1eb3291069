import { Group, Modal } from '@mantine/core';
import * as texts from '#messages/undo-problems.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { Button } from '#web/ui/button.tsx';
import { PersonName } from '#web/ui/person-name.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import type { Unreverted } from './undo-steps.ts';
import classes from './unreverted-dialog.module.css';

interface UnrevertedDialogProps {
  /** `Undone: pasting` */
  readonly title: string;
  readonly unreverted: readonly Unreverted[];
  readonly onClose: () => void;
}

/** How many are listed. */
const LISTED = 100;

/** Lists what undoing has left unchanged, with who has changed it since, and when. */
export function UnrevertedDialog({ title, unreverted, onClose }: UnrevertedDialogProps) {
  const count = unreverted.length;
  return (
    <Modal opened size="lg" onClose={onClose} title={title}>
      <p className={classes.message}>{texts.unreverted(count)}</p>
      <ul className={classes.list} aria-label={texts.unrevertedList}>
        {unreverted.slice(0, LISTED).map(({ key, subject, by, at, isDeleted }) => {
          const name = <b>{subject}</b>;
          const textOf = isDeleted ? texts.deletedBy : texts.changedBy;
          return (
            <li key={key}>
              {by === null || at === null ? (
                name
              ) : (
                <RichText text={textOf(name, <PersonName username={by} />, localInstant(at))} />
              )}
            </li>
          );
        })}
        {count > LISTED && <li>{texts.moreUnreverted(count - LISTED)}</li>}
      </ul>
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          {texts.close}
        </Button>
      </Group>
    </Modal>
  );
}
