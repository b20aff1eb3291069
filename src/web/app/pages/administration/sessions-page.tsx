import * as texts from '#messages/people.ts';
import { LocksTable } from '#web/features/people/locks-table.tsx';
import { SessionsTable } from '#web/features/people/sessions-table.tsx';
import { Page } from '#web/ui/page.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './sessions-page.module.css';

/** The sessions and the locks, for administrators. */
export function SessionsPage() {
  return (
    <Page title={texts.sessions} body="prose">
      <div className={shared.stack}>
        <SessionsTable />
        <h2 className={classes.heading}>{texts.locks}</h2>
        <LocksTable />
      </div>
    </Page>
  );
}
