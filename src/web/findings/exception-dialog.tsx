import * as texts from '#messages/findings.ts';
import { Modal } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import type { CallError } from '#web/api/failure.ts';
import { Form } from '#web/ui/form/form.tsx';
import { TextField } from '#web/ui/form/form-fields.tsx';
import { z, zodResolver } from '#web/ui/form/form-schema.ts';
import { notify } from '#web/ui/notify.ts';
import type { ExceptionChange, FieldFinding } from './finding.ts';

interface ExceptionDialogProps {
  readonly finding: Pick<FieldFinding, 'check' | 'label'>;
  readonly mutation: UseMutationResult<unknown, CallError, ExceptionChange>;
  readonly onClose: () => void;
}

/** Asks for the reason why a record is right although it fails a check. */
export function ExceptionDialog(props: ExceptionDialogProps) {
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={texts.exceptTitle}
      size={480}
      // The button in the form is removed with the finding.
      returnFocus={false}
    >
      <ReasonForm {...props} />
    </Modal>
  );
}

const reasonSchema = z.object({
  reason: z.string().check(z.trim(), z.minLength(1, texts.reasonMissing)),
});

function ReasonForm({ finding, mutation, onClose }: ExceptionDialogProps) {
  const form = useForm({ defaultValues: { reason: '' }, resolver: zodResolver(reasonSchema) });
  return (
    <Form
      form={form}
      mutation={mutation}
      toBody={({ reason }) => ({ check: finding.check, exception: { reason } })}
      onDone={() => {
        notify(texts.exceptionSaved);
        onClose();
      }}
      onCancel={onClose}
      errorTitle={texts.exceptFailed}
      submit={{ label: texts.exceptSubmit }}
    >
      <p>{texts.exceptText(finding.label)}</p>
      <TextField
        control={form.control}
        name="reason"
        label={texts.reason}
        data-autofocus
        required
        maxLength={2000}
      />
    </Form>
  );
}
