import { useSearch } from '@tanstack/react-router';
import * as texts from '#messages/people.ts';
import { Groups } from '#web/features/people/groups.tsx';
import { Page } from '#web/ui/page.tsx';

/** The groups, for administrators. */
export function GroupsPage() {
  const { group = null } = useSearch({ from: '/administration/groups' });
  return (
    <Page title={texts.groups} body="prose">
      <Groups selected={group} />
    </Page>
  );
}
