import { Modal } from '@mantine/core';
import { useState } from 'react';
import * as texts from '#messages/people.ts';
import { Button } from '#web/ui/button.tsx';
import classes from './people.module.css';

interface OneTimePasswordDialogProps {
  readonly opened: boolean;
  readonly username: string;
  readonly password: string;
  readonly onClose: () => void;
}

/** Shows a one-time password, which the service returns only once. */
export function OneTimePasswordDialog(props: OneTimePasswordDialogProps) {
  const { opened, username, password, onClose } = props;
  const [isCopied, setIsCopied] = useState(false);
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={texts.oneTimePasswordOf(username)}
      size={440}
      // A click outside must not lose the password.
      closeOnClickOutside={false}
    >
      <p>{texts.oneTimePasswordHint}</p>
      <div className={classes.password}>
        <output className={classes.secret} aria-label={texts.oneTimePassword}>
          {password}
        </output>
        {/* Browsers offer the clipboard only over https and on this computer. */}
        {'clipboard' in navigator && (
          <Button variant="default" data-autofocus onClick={() => void copy(password)}>
            {isCopied ? texts.copied : texts.copy}
          </Button>
        )}
      </div>
    </Modal>
  );
}
