import { Page } from '#web/ui/page.tsx';

export function StartPage() {
  return (
    <Page title="Start" body="prose">
      {null}
    </Page>
  );
}
