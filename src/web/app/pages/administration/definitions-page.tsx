import * as texts from '#messages/designer.ts';
import { DefinitionList } from '#web/features/definitions/definition-list.tsx';
import { ButtonLink } from '#web/ui/button-link.tsx';
import { Page } from '#web/ui/page.tsx';

/** All archives and tables, for administrators. */
export function DefinitionsPage() {
  return (
    <Page
      title={texts.title}
      body="prose"
      actions={
        <>
          <ButtonLink to="/administration/new-archive">{texts.newArchive}</ButtonLink>
          <ButtonLink to="/administration/new-table">{texts.newTable}</ButtonLink>
        </>
      }
    >
      <DefinitionList />
    </Page>
  );
}
