import { Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { summary } from '#web/api/failure.ts';
import { signOut, useSession } from '#web/api/session.queries.ts';
import { KeyIcon, SignOutIcon, UserIcon } from '#web/ui/icons.tsx';
import { notify } from '#web/ui/notify.ts';
import { PasswordDialog } from './password-dialog.tsx';
import classes from './side-bar.module.css';

/** Who is signed in, their password, and the way out. */
export function UserMenu({ onSignedOut }: { readonly onSignedOut: () => void }) {
  const session = useSession();
  const [changing, setChanging] = useState(false);
  const leaving = useMutation({
    mutationFn: signOut,
    onSuccess: onSignedOut,
    onError: (error) => notify(`You are still signed in. ${summary(error.failure)}`),
  });
  return (
    <>
      <Menu position="top-start" width={216} withinPortal={false}>
        <Menu.Target>
          <button type="button" className={classes.user}>
            <UserIcon size={17} />
            <span className={classes.name}>{session.displayName}</span>
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            {session.username} · {session.role}
          </Menu.Label>
          <Menu.Item leftSection={<KeyIcon size={15} />} onClick={() => setChanging(true)}>
            Change password…
          </Menu.Item>
          <Menu.Item leftSection={<SignOutIcon size={15} />} onClick={() => leaving.mutate()}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <PasswordDialog opened={changing} onClose={() => setChanging(false)} />
    </>
  );
}
