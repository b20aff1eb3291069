import { Modal } from '@mantine/core';
import { useForm } from 'react-hook-form';
import * as texts from '#messages/people.ts';
import type { OneTimePassword } from '#shared/contract/configuration-people.ts';
import { ROLES } from '#shared/rules/rights.ts';
import { Form } from '#web/ui/form/form.tsx';
import { TextField } from '#web/ui/form/form-fields.tsx';
import { z, zodResolver } from '#web/ui/form/form-schema.ts';
import { SelectField } from '#web/ui/form/select-field.tsx';
import { UnsavedChangesGuard } from '#web/ui/form/unsaved-changes-guard.tsx';
import { useAddUser } from './people.mutations.ts';
import { ROLE_OPTIONS } from './right-options.ts';

interface AddUserDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** @param given null: the service has answered it before */
  readonly onAdded: (username: string, given: OneTimePassword | null) => void;
}

/** Adds a user, who gets a one-time password. Rights and groups are given afterwards. */
export function AddUserDialog({ opened, onClose, onAdded }: AddUserDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={texts.addUser} size={440}>
      <AddUserForm onClose={onClose} onAdded={onAdded} />
    </Modal>
  );
}

const userSchema = z.object({
  username: z.string().check(z.trim(), z.minLength(1, texts.enterUsername)),
  displayName: z.string().check(z.trim()),
  email: z.string().check(z.trim()),
  role: z.enum(ROLES),
});

function AddUserForm({ onClose, onAdded }: Omit<AddUserDialogProps, 'opened'>) {
  const form = useForm<z.infer<typeof userSchema>>({
    defaultValues: { username: '', displayName: '', email: '', role: 'clerk' },
    resolver: zodResolver(userSchema),
  });
  const { control } = form;
  return (
    <Form
      form={form}
      mutation={useAddUser()}
      toBody={({ username, displayName, email, role }) => ({
        username,
        role,
        ...(displayName === '' ? {} : { displayName }),
        ...(email === '' ? {} : { email }),
      })}
      onDone={({ username, given }) => onAdded(username, given)}
      onCancel={onClose}
      errorTitle={texts.userNotAdded}
      submit={{ label: texts.addUser }}
    >
      <TextField
        control={control}
        name="username"
        label={texts.username}
        description={texts.usernameHint}
        data-autofocus
        required
      />
      <TextField control={control} name="displayName" label={texts.displayName} />
      <TextField control={control} name="email" label={texts.email} type="email" />
      <SelectField control={control} name="role" label={texts.role} options={ROLE_OPTIONS} />
      <UnsavedChangesGuard isUnsaved={form.formState.isDirty} allowsSamePage />
    </Form>
  );
}
