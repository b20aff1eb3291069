import { useParams } from '@tanstack/react-router';
import * as texts from '#messages/designer.ts';
import { SavedDefinition } from '#web/features/definitions/saved-definition.tsx';
import { Page } from '#web/ui/page.tsx';
import { useStartQueue } from '../use-start-queue.ts';

/** The definition of an archive, for administrators. */
export function ArchiveDefinitionPage() {
  const { archive } = useParams({ from: '/administration/archives/$archive' });
  const { start } = useStartQueue(archive);
  return (
    <Page title={texts.archive} aside={archive} body="prose">
      <SavedDefinition
        key={archive}
        kind="archive"
        id={archive}
        onCorrect={(revisionIds) => void start({ name: texts.misfitsQueue, revisionIds })}
      />
    </Page>
  );
}

/** The definition of a table, for administrators. */
export function TableDefinitionPage() {
  const { guid } = useParams({ from: '/administration/tables/$guid' });
  return (
    <Page title={texts.table} body="prose">
      <SavedDefinition key={guid} kind="table" id={guid} onCorrect={null} />
    </Page>
  );
}
