import * as texts from '#messages/frame.ts';
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
      title={texts.changePassword}
      size={400}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <PasswordForm onClose={onClose} />
    </Modal>
  );
}

const passwordSchema = z
  .object({
    current: z.string().check(z.minLength(1, texts.enterCurrentPassword)),
    password: z.string().check(z.minLength(1, texts.enterNewPassword)),
    again: z.string(),
  })
  .check(
    z.refine(({ password, again }) => password === again, {
      path: ['again'],
      error: texts.passwordsDiffer,
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
      errorTitle={texts.passwordNotChanged}
      submit={{ label: texts.changePassword }}
    >
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        control={control}
        name="current"
        label={texts.currentPassword}
        showLabel={texts.showCurrentPassword}
        autoComplete="current-password"
        data-autofocus
        required
      />
      <PasswordField
        control={control}
        name="password"
        label={texts.newPassword}
        showLabel={texts.showNewPassword}
        description={texts.passwordHint}
        autoComplete="new-password"
        required
      />
      <PasswordField
        control={control}
        name="again"
        label={texts.newPasswordAgain}
        showLabel={texts.showNewPasswordAgain}
        autoComplete="new-password"
        required
      />
    </Form>
  );
}
