import { Modal } from '@mantine/core';
import { useForm } from 'react-hook-form';
import * as texts from '#messages/people.ts';
import { LocalForm } from '#web/ui/form/form.tsx';

interface LeaveDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onLeave: () => void;
}

/** Asks whether the changes of a form may be lost. */
export function LeaveDialog({ opened, onClose, onLeave }: LeaveDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={texts.leaveTitle}
      size={440}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <LocalForm
        form={useForm()}
        onSubmit={onLeave}
        onCancel={onClose}
        submit={{ label: texts.leaveWithoutSaving, isDestructive: true }}
      >
        <p>{texts.leaveText}</p>
      </LocalForm>
    </Modal>
  );
}
