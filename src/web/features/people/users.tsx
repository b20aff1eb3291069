import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import * as unsavedInputTexts from '#messages/unsaved-input.ts';
import * as texts from '#messages/people.ts';
import type { OneTimePassword } from '#shared/contract/configuration-people.ts';
import { useSession } from '#web/api/session.queries.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { useConfirmDiscard } from '#web/ui/form/unsaved-changes-guard.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { ConfirmDialog } from '#web/ui/lazy-confirm-dialog.ts';
import { AccessOfUser } from './access-of-user.tsx';
import { IdentityOfUser } from './identity-of-user.tsx';
import { useDeleteUser, useResetPassword, useSeeAs } from './people.mutations.ts';
import { userQuery } from './people.queries.ts';
import { UserForm } from './user-form.tsx';
import { UserList } from './user-list.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './people.module.css';

const AddUserDialog = lazyDialog(async () => (await import('./add-user-dialog.tsx')).AddUserDialog);
const OneTimePasswordDialog = lazyDialog(
  async () => (await import('./one-time-password-dialog.tsx')).OneTimePasswordDialog,
);

/** A password to show, and its user. */
interface ShownPassword extends OneTimePassword {
  readonly username: string;
}

/** The users next to the selected one. @param selected its username, null: none */
export function Users({ selected }: { readonly selected: string | null }) {
  const navigate = useNavigate();
  const [isAdding, setIsAdding] = useState(false);
  const [shown, setShown] = useState<ShownPassword | null>(null);
  return (
    <div className={classes.split} data-detail={selected !== null || undefined}>
      <div className={classes.side}>
        <Button onClick={() => setIsAdding(true)}>{texts.addUser}</Button>
        <UserList />
      </div>
      <div className={classes.detail}>
        {selected === null ? (
          <EmptyState title={texts.chooseUser} />
        ) : (
          <SelectedUser key={selected} username={selected} onPassword={setShown} />
        )}
      </div>
      <AddUserDialog
        opened={isAdding}
        onClose={() => setIsAdding(false)}
        onAdded={(username, given) => {
          setIsAdding(false);
          if (given) setShown({ username, ...given });
          void navigate({ to: '/administration/users', search: { user: username } });
        }}
      />
      <OneTimePasswordDialog
        username={shown?.username ?? ''}
        password={shown?.oneTimePassword ?? ''}
        expiresAt={shown?.oneTimePasswordExpiresAt ?? ''}
        opened={shown !== null}
        onClose={() => setShown(null)}
      />
    </div>
  );
}

interface SelectedUserProps {
  readonly username: string;
  readonly onPassword: (shown: ShownPassword) => void;
}

function SelectedUser({ username, onPassword }: SelectedUserProps) {
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(userQuery(username));
  const [dialog, setDialog] = useState<'password' | 'delete' | null>(null);
  const { username: own } = useSession();
  const [discarded, setDiscarded] = useState(0);
  const close = () => setDialog(null);
  const deletion = useDeleteUser(username);
  const reset = useResetPassword(username, (given) => onPassword({ username, ...given }));
  if (!data) return <QueryPending query={{ error, refetch }} title={texts.usersNotRead} />;
  const { user, etag } = data;
  return (
    <>
      <Link to="/administration/users" className={classes.back}>
        {texts.back}
      </Link>
      <div className={classes.title}>
        <h2>{user.displayName}</h2>
        <span className={shared.muted}>{username}</span>
        <span className={classes.actions}>
          {username !== own && user.active && (
            <SeeAsButton
              username={username}
              // Without input in the form, the browser does not ask when the new document is loaded.
              onDiscard={() => setDiscarded((count) => count + 1)}
            />
          )}
          <Button variant="default" onClick={() => setDialog('password')}>
            {texts.resetPassword}
          </Button>
          <Button variant="light" color="red" onClick={() => setDialog('delete')}>
            {texts.deleteItem}
          </Button>
        </span>
      </div>
      <UserForm key={discarded} user={user} etag={etag} />
      <IdentityOfUser username={username} />
      <section className={classes.section}>
        <h3 className={shared.quietHeading}>{texts.access}</h3>
        {!user.active && <p>{texts.notActive}</p>}
        <AccessOfUser username={username} />
      </section>
      <ConfirmDialog
        opened={dialog === 'password'}
        onClose={close}
        title={texts.resetPasswordTitle(username)}
        text={texts.resetPasswordText}
        mutation={reset}
        onDone={close}
        errorTitle={texts.passwordNotReset}
        submit={texts.resetPassword}
      />
      <ConfirmDialog
        opened={dialog === 'delete'}
        onClose={close}
        title={texts.deleteUserTitle(username)}
        text={texts.deleteUserText}
        mutation={deletion}
        onDone={() => void navigate({ to: '/administration/users', ignoreBlocker: true })}
        errorTitle={texts.userNotDeleted}
        submit={texts.deleteItem}
      />
    </>
  );
}

interface SeeAsButtonProps {
  readonly username: string;
  /** unsaved input is discarded */
  readonly onDiscard: () => void;
}

/** Shows the web admin as the user sees it. */
function SeeAsButton({ username, onDiscard }: SeeAsButtonProps) {
  const { mutate: seeAs, isPending, isSuccess } = useSeeAs(username);
  const { confirmDiscard, question } = useConfirmDiscard(unsavedInputTexts.leaveText);
  return (
    <>
      <Button
        variant="default"
        loading={isPending || isSuccess}
        onClick={() =>
          confirmDiscard(() => {
            onDiscard();
            seeAs();
          })
        }
      >
        {texts.seeAs}
      </Button>
      {question}
    </>
  );
}
