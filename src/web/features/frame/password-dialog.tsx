import { Modal } from '@mantine/core';
import { useForm } from 'react-hook-form';
import { useSession } from '#web/api/session.queries.ts';
import { Form } from '#web/ui/form/form.tsx';
import { PasswordField } from '#web/ui/form/form-fields.tsx';
import { z, zodResolver } from '#web/ui/form/schema.ts';
import { useChangePassword } from './session.mutations.ts';

interface PasswordDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Changing one's own password. */
export function PasswordDialog({ opened, onClose }: PasswordDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Change password"
      size={400}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <PasswordForm onClose={onClose} />
    </Modal>
  );
}

const passwordSchema = z
  .object({
    current: z.string().check(z.minLength(1, 'Enter your current password.')),
    password: z.string().check(z.minLength(1, 'Enter a new password.')),
    again: z.string(),
  })
  .check(
    z.refine(({ password, again }) => password === again, {
      path: ['again'],
      error: 'The two new passwords differ.',
      // Also while another field is not valid.
      when: () => true,
    }),
  );

function PasswordForm({ onClose }: { readonly onClose: () => void }) {
  const { username } = useSession();
  const form = useForm({
    defaultValues: { current: '', password: '', again: '' },
    resolver: zodResolver(passwordSchema),
    mode: 'onTouched',
  });
  const { control } = form;
  return (
    <Form
      form={form}
      mutation={useChangePassword()}
      toBody={({ current, password }) => ({ current, password })}
      onDone={onClose}
      onCancel={onClose}
      errorTitle="The password was not changed"
      submit={{ label: 'Change password' }}
    >
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        control={control}
        name="current"
        label="Current password"
        showLabel="Show the current password"
        autoComplete="current-password"
        data-autofocus
        required
      />
      <PasswordField
        control={control}
        name="password"
        label="New password"
        showLabel="Show the new password"
        description="At least 10 characters."
        autoComplete="new-password"
        required
      />
      <PasswordField
        control={control}
        name="again"
        label="New password again"
        showLabel="Show the new password again"
        autoComplete="new-password"
        required
      />
    </Form>
  );
}
