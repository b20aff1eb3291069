import * as texts from '#messages/password.ts';
import { Modal } from '@mantine/core';
import { PasswordForm } from './password-form.tsx';

interface PasswordDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Changing one's own password. */
export function PasswordDialog({ opened, onClose }: PasswordDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={texts.changePassword} size={400}>
      <PasswordForm onDone={onClose} onCancel={onClose} />
    </Modal>
  );
}
