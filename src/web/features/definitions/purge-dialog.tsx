import { Modal } from '@mantine/core';
import { useForm, useWatch } from 'react-hook-form';
import * as texts from '#messages/designer.ts';
import { Form } from '#web/ui/form/form.tsx';
import { TextField } from '#web/ui/form/form-fields.tsx';
import type { CollectionDefinition } from './collection-definition.ts';
import { usePurgeDefinition } from './definitions.mutations.ts';

interface PurgeDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
  readonly definition: CollectionDefinition;
  /** a retired field; of a keyword field `keyword.NAME`; null: the retired archive or table as a whole */
  readonly field: string | null;
}

/** Permanently deletes a retired object, once its name is typed. */
export function PurgeDialog({ opened, onClose, ...rest }: PurgeDialogProps) {
  const { definition, field } = rest;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={texts.purgeTitle(field ?? definition.label)}
      size={480}
    >
      <PurgeForm {...rest} onClose={onClose} />
    </Modal>
  );
}

function PurgeForm({ definition, field, onClose, onDone }: Omit<PurgeDialogProps, 'opened'>) {
  const form = useForm({ defaultValues: { confirm: '' } });
  const typed = useWatch({ control: form.control, name: 'confirm' });
  const name = field ?? definition.name;
  return (
    <Form
      form={form}
      mutation={usePurgeDefinition(definition, field)}
      toBody={({ confirm }) => confirm}
      onDone={onDone}
      onCancel={onClose}
      errorTitle={texts.notPurged}
      submit={{ label: texts.purge, disabled: typed !== name, isDestructive: true }}
    >
      <p>{field === null ? texts.purgeWholeText : texts.purgeFieldText}</p>
      <TextField
        control={form.control}
        name="confirm"
        label={texts.typeToConfirm(name)}
        autoComplete="off"
        required
      />
    </Form>
  );
}
