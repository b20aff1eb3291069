import { Modal } from '@mantine/core';
import { useForm } from 'react-hook-form';
import * as texts from '#messages/people.ts';
import { Form } from '#web/ui/form/form.tsx';
import { TextField } from '#web/ui/form/form-fields.tsx';
import { z, zodResolver } from '#web/ui/form/form-schema.ts';
import { UnsavedChangesGuard } from '#web/ui/form/unsaved-changes-guard.tsx';
import { useAddGroup } from './people.mutations.ts';

interface AddGroupDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onAdded: (name: string) => void;
}

/** Adds a group. Members and rights are given afterwards. */
export function AddGroupDialog({ opened, onClose, onAdded }: AddGroupDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={texts.addGroup} size={440}>
      <AddGroupForm onClose={onClose} onAdded={onAdded} />
    </Modal>
  );
}

const groupSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, texts.enterGroupName)),
  label: z.string().check(z.trim()),
});

function AddGroupForm({ onClose, onAdded }: Omit<AddGroupDialogProps, 'opened'>) {
  const form = useForm({
    defaultValues: { name: '', label: '' },
    resolver: zodResolver(groupSchema),
  });
  return (
    <Form
      form={form}
      mutation={useAddGroup()}
      toBody={(group) => group}
      onDone={({ name }) => onAdded(name)}
      onCancel={onClose}
      errorTitle={texts.groupNotAdded}
      submit={{ label: texts.addGroup }}
    >
      <TextField
        control={form.control}
        name="name"
        label={texts.groupName}
        description={texts.groupNameHint}
        data-autofocus
        required
      />
      <TextField control={form.control} name="label" label={texts.label} />
      <UnsavedChangesGuard isUnsaved={form.formState.isDirty} allowsSamePage />
    </Form>
  );
}
