import { Modal } from '@mantine/core';
import * as texts from '#messages/people.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import classes from './people.module.css';

interface OneTimePasswordDialogProps {
  readonly opened: boolean;
  readonly username: string;
  readonly password: string;
  /** an instant, ISO 8601 in UTC */
  readonly expiresAt: string;
  readonly onClose: () => void;
}

/** Shows a one-time password, which the service returns only once. */
export function OneTimePasswordDialog(props: OneTimePasswordDialogProps) {
  const { opened, username, password, expiresAt, onClose } = props;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={texts.oneTimePasswordOf(username)}
      size={440}
      // A click outside, or Escape, must not lose the password.
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <p>{texts.oneTimePasswordHint(localInstant(expiresAt))}</p>
      <div className={classes.password}>
        <output className={classes.secret} aria-label={texts.oneTimePassword}>
          {password}
        </output>
        <CopyButton text={password} isFocused />
      </div>
    </Modal>
  );
}
