import * as texts from '#messages/account.ts';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { Factor } from '#shared/contract/factors.ts';
import { canUsePasskeys } from '#web/api/passkey-support.ts';
import { Button } from '#web/ui/button.tsx';
import { PasswordField, TextField } from '#web/ui/form/form-fields.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { useConfirm, useConfirmByPasskey } from './account.mutations.ts';
import shared from '#web/ui/shared.module.css';
import classes from './account.module.css';

interface ConfirmFormProps {
  readonly factors: readonly Factor[];
  /** whether a code is asked for first, because the password belongs to the provider */
  readonly startsWithCode: boolean;
  /** what the proof allows */
  readonly reason: string;
  readonly onConfirmed?: () => void;
}

interface ProofProps {
  readonly onConfirmed: () => void;
}

const doNothing = () => undefined;

/** Asks for a password, a code or a passkey. */
export function ConfirmForm(props: ConfirmFormProps) {
  const { factors, startsWithCode, reason, onConfirmed = doNothing } = props;
  const [isByCode, setIsByCode] = useState(startsWithCode);
  const hasPasskey = factors.some(({ kind }) => kind === 'passkey');
  const hasApp = factors.some(({ kind }) => kind === 'totp');
  return (
    <div className={`${shared.stack} ${classes.narrow}`}>
      <p>{reason}</p>
      {hasPasskey && canUsePasskeys() && <PasskeyConfirmation onConfirmed={onConfirmed} />}
      {isByCode ? (
        <CodeForm hasApp={hasApp} onConfirmed={onConfirmed} />
      ) : (
        <PasswordForm onConfirmed={onConfirmed} />
      )}
      {factors.length > 0 && (
        <Button variant="subtle" color="gray" onClick={() => setIsByCode(!isByCode)}>
          {isByCode ? texts.confirmByPassword : texts.confirmByCode}
        </Button>
      )}
    </div>
  );
}

function PasskeyConfirmation({ onConfirmed }: ProofProps) {
  const confirm = useConfirmByPasskey();
  return (
    <>
      <div className={shared.buttons}>
        <Button
          loading={confirm.isPending}
          onClick={() => confirm.mutate(undefined, { onSuccess: onConfirmed })}
        >
          {texts.confirmByPasskey}
        </Button>
      </div>
      {confirm.isError && <p role="alert">{texts.passkeyNotAccepted}</p>}
    </>
  );
}

function PasswordForm({ onConfirmed }: ProofProps) {
  const form = useForm({ defaultValues: { password: '' } });
  return (
    <Form
      form={form}
      mutation={useConfirm()}
      toBody={({ password }) => ({ password })}
      onDone={() => {
        form.reset();
        onConfirmed();
      }}
      errorTitle={texts.notConfirmed}
      submit={{ label: texts.confirm }}
    >
      <PasswordField
        control={form.control}
        name="password"
        label={texts.currentPassword}
        showLabel={texts.showPassword}
        autoComplete="current-password"
        required
      />
    </Form>
  );
}

function CodeForm({ hasApp, onConfirmed }: ProofProps & { readonly hasApp: boolean }) {
  const form = useForm({ defaultValues: { totp: '' } });
  return (
    <Form
      form={form}
      mutation={useConfirm()}
      toBody={({ totp }) => ({ totp })}
      onDone={() => {
        form.reset();
        onConfirmed();
      }}
      errorTitle={texts.notConfirmed}
      submit={{ label: texts.confirm }}
    >
      <TextField
        control={form.control}
        name="totp"
        label={hasApp ? texts.appCode : texts.recoveryCode}
        description={hasApp ? texts.appCodeHint : undefined}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
    </Form>
  );
}
