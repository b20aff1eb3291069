import * as texts from '#messages/password.ts';
import { useForm } from 'react-hook-form';
import { useSession } from '#web/api/session.queries.ts';
import { Form } from '#web/ui/form/form.tsx';
import { PasswordField } from '#web/ui/form/form-fields.tsx';
import { z, zodResolver } from '#web/ui/form/form-schema.ts';
import { PasswordStrength } from './password-strength.tsx';
import { useChangePassword } from './password.mutations.ts';

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
      // Even if another field is invalid.
      when: () => true,
    }),
  );

interface PasswordFormProps {
  readonly onDone: () => void;
  readonly onCancel?: () => void;
}

/** The form of a new password, for the user of the session. */
export function PasswordForm({ onDone, onCancel }: PasswordFormProps) {
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
      onDone={onDone}
      {...(onCancel && { onCancel })}
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
      <PasswordStrength control={control} />
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
