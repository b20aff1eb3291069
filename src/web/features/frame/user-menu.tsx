import * as texts from '#messages/frame.ts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '#web/api/session.queries.ts';
import { KeyIcon, UserIcon, drawIcon } from '#web/ui/icons.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { LazyMenu } from '#web/ui/lazy-menu.tsx';
import classes from './side-bar.module.css';
import { useSignOut } from './session.mutations.ts';

const SignOutIcon = drawIcon(<path d="M10 4H5v16h5M15 8l4 4-4 4M19 12H9" />);

const PasswordDialog = lazyDialog(
  async () => (await import('./password-dialog.tsx')).PasswordDialog,
);

/** The user's name, password dialog and sign-out. */
export function UserMenu({ onSignedOut }: { readonly onSignedOut: () => void }) {
  const session = useSession();
  const navigate = useNavigate();
  const [changing, setChanging] = useState(false);
  const signOut = useSignOut(onSignedOut);
  return (
    <>
      <LazyMenu
        position="top-start"
        width={216}
        withinPortal={false}
        target={
          <button type="button" className={classes.user}>
            <UserIcon size={17} />
            <span className={classes.name}>{session.displayName}</span>
          </button>
        }
      >
        {(Menu) => (
          <>
            <Menu.Label>
              {session.username} · {texts.roles[session.role]}
            </Menu.Label>
            <Menu.Item
              leftSection={<UserIcon size={15} />}
              onClick={() => void navigate({ to: '/account' })}
            >
              {texts.account}
            </Menu.Item>
            <Menu.Item leftSection={<KeyIcon size={15} />} onClick={() => setChanging(true)}>
              {texts.changePasswordItem}
            </Menu.Item>
            <Menu.Item leftSection={<SignOutIcon size={15} />} onClick={signOut}>
              {texts.signOut}
            </Menu.Item>
          </>
        )}
      </LazyMenu>
      <PasswordDialog opened={changing} onClose={() => setChanging(false)} />
    </>
  );
}
