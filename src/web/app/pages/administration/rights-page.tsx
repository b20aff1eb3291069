import * as texts from '#messages/people.ts';
import { RightsMatrix } from '#web/features/people/rights-matrix.tsx';
import { Page } from '#web/ui/page.tsx';

/** The rights of all users and groups, for administrators. */
export function RightsPage() {
  return (
    <Page title={texts.rights} body="prose">
      <RightsMatrix />
    </Page>
  );
}
