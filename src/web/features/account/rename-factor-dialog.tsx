import { Modal } from '@mantine/core';
import { useForm } from 'react-hook-form';
import * as texts from '#messages/account.ts';
import type { Factor } from '#shared/contract/factors.ts';
import { Form } from '#web/ui/form/form.tsx';
import { TextField } from '#web/ui/form/form-fields.tsx';
import { useRenameFactor } from './account.mutations.ts';

interface RenameFactorDialogProps {
  readonly opened: boolean;
  readonly factor: Factor;
  readonly onClose: () => void;
}

/** Gives a second factor another name. */
export function RenameFactorDialog({ opened, factor, onClose }: RenameFactorDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={texts.renameNamed(factor.name)} size={400}>
      <RenameFactorForm factor={factor} onClose={onClose} />
    </Modal>
  );
}

function RenameFactorForm({ factor, onClose }: Omit<RenameFactorDialogProps, 'opened'>) {
  const form = useForm({ defaultValues: { name: factor.name } });
  return (
    <Form
      form={form}
      mutation={useRenameFactor(factor.factorId)}
      toBody={({ name }) => ({ name: name.trim() })}
      onDone={onClose}
      onCancel={onClose}
      fieldAt={(path) => (path === 'factor.name' ? 'name' : undefined)}
      errorTitle={texts.notRenamed}
      submit={{ label: texts.rename }}
    >
      <TextField
        control={form.control}
        name="name"
        label={texts.name}
        maxLength={100}
        data-autofocus
        required
      />
    </Form>
  );
}
