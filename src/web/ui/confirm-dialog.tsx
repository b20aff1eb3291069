import { Modal } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import type { CallError } from '#web/api/failure.ts';
import { Form, LocalForm } from './form/form.tsx';

interface QuestionProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** the consequences */
  readonly text: string;
  readonly submit: string;
}

interface ConfirmDialogProps extends QuestionProps {
  readonly mutation: UseMutationResult<void, CallError, void>;
  readonly onDone: () => void;
  readonly errorTitle: string;
}

/** Asks for confirmation before something is removed. */
export function ConfirmDialog({ opened, onClose, title, text, ...rest }: ConfirmDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={440}>
      <Confirmation {...rest} body={undefined} onCancel={onClose}>
        <p>{text}</p>
      </Confirmation>
    </Modal>
  );
}

interface ConfirmFormProps<Body, Result> {
  readonly mutation: UseMutationResult<Result, CallError, Body>;
  /** what is sent */
  readonly body: Body;
  readonly onDone: (result: Result) => void;
  readonly onCancel: () => void;
  readonly errorTitle: string;
  /** names the paths of the errors */
  readonly pathLabel?: (path: string) => string | undefined;
  readonly submit: string;
  /** the consequences */
  readonly children: ReactNode;
}

/** The content of a dialog that asks for confirmation. */
export function Confirmation<Body, Result>(props: ConfirmFormProps<Body, Result>) {
  const { body, submit, ...form } = props;
  return (
    <Form
      {...form}
      form={useForm()}
      toBody={() => body}
      submit={{ label: submit, isDestructive: true }}
    />
  );
}

interface LocalConfirmDialogProps extends QuestionProps {
  readonly onConfirm: () => void;
}

/** Asks for confirmation before input is lost. */
export function LocalConfirmDialog(props: LocalConfirmDialogProps) {
  const { opened, onClose, title, text, submit, onConfirm } = props;
  const form = useForm();
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={440}>
      <LocalForm
        form={form}
        onSubmit={onConfirm}
        onCancel={onClose}
        submit={{ label: submit, isDestructive: true }}
      >
        <p>{text}</p>
      </LocalForm>
    </Modal>
  );
}
