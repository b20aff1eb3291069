import { Link } from '@tanstack/react-router';
import * as texts from '#messages/designer.ts';
import { DefinitionList } from '#web/features/definitions/definition-list.tsx';
import { Page } from '#web/ui/page.tsx';
import classes from './definitions-page.module.css';

/** All archives and tables, for administrators. */
export function DefinitionsPage() {
  return (
    <Page
      title={texts.title}
      body="prose"
      actions={
        <>
          <Link to="/administration/new-archive" className={classes.action}>
            {texts.newArchive}
          </Link>
          <Link to="/administration/new-table" className={classes.action}>
            {texts.newTable}
          </Link>
        </>
      }
    >
      <DefinitionList />
    </Page>
  );
}
