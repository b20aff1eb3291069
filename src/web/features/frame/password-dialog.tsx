import { Group, Modal, PasswordInput, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { messagesAt } from '#web/api/failure.ts';
import { changePassword, useSession } from '#web/api/session.queries.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { notify } from '#web/ui/notify.ts';

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
      <PasswordForm onDone={onClose} />
    </Modal>
  );
}

function PasswordForm({ onDone }: { readonly onDone: () => void }) {
  const { username } = useSession();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const change = useMutation({
    mutationFn: () => changePassword(username, { current, password }),
    onSuccess: () => {
      notify('The password is changed. Other sessions of yours have ended.');
      onDone();
    },
  });
  const failure = change.error?.failure ?? null;
  const atCurrent = messagesAt(failure, 'current').join(' ');
  const atPassword = messagesAt(failure, 'password').join(' ');
  const differs = again !== '' && again !== password;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password === again) change.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap={12}>
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          data-autofocus
          required
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          error={atCurrent || undefined}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the current password' }}
        />
        <PasswordInput
          label="New password"
          description="At least 10 characters."
          autoComplete="new-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={atPassword || undefined}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the new password' }}
        />
        <PasswordInput
          label="New password again"
          autoComplete="new-password"
          required
          value={again}
          onChange={(event) => setAgain(event.currentTarget.value)}
          error={differs ? 'The two new passwords differ.' : undefined}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the new password again' }}
        />
        {failure && !atCurrent && !atPassword && <ErrorPanel error={failure} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending} disabled={differs}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
