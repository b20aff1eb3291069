import { Overview } from '#web/features/frame/overview.tsx';
import { Page } from '#web/ui/page.tsx';

/** Where one arrives: all archives and tables. */
export function StartPage() {
  return (
    <Page title="Archives and tables" body="prose">
      <Overview />
    </Page>
  );
}
