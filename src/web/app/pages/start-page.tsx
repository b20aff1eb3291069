import { Page } from '#web/ui/page.tsx';
import * as texts from '#messages/overview.ts';
import { Overview } from '../overview/overview.tsx';

/** The start page: work lists, the user's unfinished work, and the latest changes by others. */
export function StartPage() {
  return (
    <Page title={texts.title} body="prose">
      <Overview />
    </Page>
  );
}
