import { useSearch } from '@tanstack/react-router';
import * as texts from '#messages/people.ts';
import { Users } from '#web/features/people/users.tsx';
import { Page } from '#web/ui/page.tsx';

/** The users, for administrators. */
export function UsersPage() {
  const { user = null } = useSearch({ from: '/administration/users' });
  return (
    <Page title={texts.users} body="prose">
      <Users selected={user} />
    </Page>
  );
}
