import { Modal } from '@mantine/core';
import { useState } from 'react';
import * as texts from '#messages/account.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { TokenForm } from './token-form.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './account.module.css';

interface TokenDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Creates a token, and shows it once. */
export function TokenDialog({ opened, onClose }: TokenDialogProps) {
  const [token, setToken] = useState<string>();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setToken(undefined)}
      title={texts.makeToken}
      size={480}
      // A click outside must not lose the token.
      closeOnClickOutside={token === undefined}
    >
      {token === undefined ? (
        <TokenForm onMade={setToken} onCancel={onClose} />
      ) : (
        <div className={classes.secret}>
          <p>{texts.tokenHint}</p>
          <output className={classes.key} aria-label={texts.token}>
            {token}
          </output>
          <div className={shared.buttons}>
            <CopyButton text={token} />
            <Button onClick={onClose}>{texts.tokenStored}</Button>
          </div>
        </div>
      )}
    </Modal>
  );
}
