import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/findings.ts';
import { Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { Form } from '#web/ui/form/form.tsx';
import { TextField } from '#web/ui/form/form-fields.tsx';
import { z, zodResolver } from '#web/ui/form/schema.ts';
import { notify } from '#web/ui/notify.ts';
import { exceptRevision } from '../revision.mutations.ts';
import type { FieldFinding } from './field-finding.ts';
import type { Findings } from './findings-store.ts';

export interface ExceptionDialogProps {
  readonly findings: Findings;
  readonly finding: FieldFinding;
  readonly onClose: () => void;
}

/** Asks why a revision is right as it is although a check is not met. */
export function ExceptionDialog({ findings, finding, onClose }: ExceptionDialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.exceptTitle}
      size={480}
      // The button in the form is removed with the finding.
      returnFocus={false}
      closeButtonProps={{ 'aria-label': commonTexts.close }}
    >
      <ReasonForm findings={findings} finding={finding} onClose={onClose} />
    </Modal>
  );
}

const reasonSchema = z.object({
  reason: z.string().check(z.trim(), z.minLength(1, texts.reasonMissing)),
});

function ReasonForm({ findings, finding, onClose }: ExceptionDialogProps) {
  const { archive, base } = findings.source();
  const form = useForm({ defaultValues: { reason: '' }, resolver: zodResolver(reasonSchema) });
  return (
    <Form
      form={form}
      mutation={useMutation(exceptRevision(archive, base.revision.revisionId))}
      toBody={({ reason }) => ({
        check: finding.check,
        exception: { reason },
        base: findings.source().base,
      })}
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
