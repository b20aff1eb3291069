import * as texts from '#messages/system.ts';
import { SystemState } from '#web/features/system/system-state.tsx';
import { Page } from '#web/ui/page.tsx';

/** The state of the installation, for administrators. */
export function SystemPage() {
  return (
    <Page title={texts.title} body="prose">
      <SystemState />
    </Page>
  );
}
