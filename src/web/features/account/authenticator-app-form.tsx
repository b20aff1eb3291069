import * as texts from '#messages/account.ts';
import { useForm } from 'react-hook-form';
import { TextField } from '#web/ui/form/form-fields.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { usePostFactor } from './account.mutations.ts';
import { QrCode } from './qr-code.tsx';
import classes from './account.module.css';

interface AuthenticatorAppFormProps {
  readonly enrolment: {
    readonly challenge: string;
    readonly secret?: string | undefined;
    readonly uri?: string | undefined;
  };
  readonly onDone: (recoveryCodes: readonly string[] | undefined) => void;
  readonly onCancel: () => void;
}

/** The QR code and key of a new authenticator app, and the code that proves that the app has read it. */
export function AuthenticatorAppForm({ enrolment, onDone, onCancel }: AuthenticatorAppFormProps) {
  const form = useForm({ defaultValues: { totp: '' } });
  const { challenge, secret = '', uri = '' } = enrolment;
  return (
    <Form
      form={form}
      mutation={usePostFactor()}
      toBody={({ totp }) => ({ kind: 'totp', challenge, totp })}
      onDone={({ recoveryCodes }) => onDone(recoveryCodes)}
      onCancel={onCancel}
      errorTitle={texts.notSetUp}
      submit={{ label: texts.finish }}
    >
      <p>{texts.scan}</p>
      <QrCode text={uri} label={texts.qrCode} />
      <p>
        {texts.key}:{' '}
        <output className={classes.key} aria-label={texts.key}>
          {secret}
        </output>
      </p>
      <TextField
        control={form.control}
        name="totp"
        label={texts.code}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
      />
    </Form>
  );
}
