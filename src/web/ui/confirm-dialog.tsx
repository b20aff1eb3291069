import { Modal } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as texts from '#messages/common.ts';
import type { CallError } from '#web/api/failure.ts';
import { Form } from './form/form.tsx';

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** the consequences */
  readonly text: string;
  readonly mutation: UseMutationResult<void, CallError, void>;
  readonly onDone: () => void;
  readonly errorTitle: string;
  readonly submit: string;
}

/** Asks for confirmation before something is removed. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, onClose, title, text, ...rest } = props;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={440}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <Confirmation {...rest} onCancel={onClose}>
        {text}
      </Confirmation>
    </Modal>
  );
}

interface ConfirmationProps extends Pick<
  ConfirmDialogProps,
  'mutation' | 'onDone' | 'errorTitle' | 'submit'
> {
  readonly onCancel: () => void;
  readonly children: string;
}

function Confirmation(props: ConfirmationProps) {
  const { mutation, onDone, errorTitle, submit, onCancel, children } = props;
  return (
    <Form
      form={useForm()}
      mutation={mutation}
      toBody={() => undefined}
      onDone={onDone}
      onCancel={onCancel}
      errorTitle={errorTitle}
      submit={{ label: submit, isDestructive: true }}
    >
      <p>{children}</p>
    </Form>
  );
}
