import { Page } from '#web/ui/page.tsx';
import * as texts from '#messages/overview.ts';
import { Overview } from '../overview/overview.tsx';

/** The page on which a day of work begins: work lists, what waits for the user, and what others have changed. */
export function StartPage() {
  return (
    <Page title={texts.title} body="prose">
      <Overview />
    </Page>
  );
}
