import * as texts from '#messages/designer.ts';
import { Designer } from '#web/features/definitions/designer.tsx';
import { Page } from '#web/ui/page.tsx';

/** Defines a new archive. */
export function NewArchivePage() {
  return (
    <Page title={texts.newArchive} body="prose">
      <Designer kind="archive" changing={null} />
    </Page>
  );
}

/** Defines a new table. */
export function NewTablePage() {
  return (
    <Page title={texts.newTable} body="prose">
      <Designer kind="table" changing={null} />
    </Page>
  );
}
