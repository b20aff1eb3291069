import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import * as texts from '#messages/designer.ts';
import { listLink } from '#web/api/list-link.ts';
import { writeListView } from '#web/api/list-view.ts';
import { definitionQuery } from '#web/features/definitions/definitions.queries.ts';
import { SavedDefinition } from '#web/features/definitions/saved-definition.tsx';
import { notify } from '#web/ui/notify.ts';
import { Page } from '#web/ui/page.tsx';
import { useStartQueue } from '#web/app/use-start-queue.ts';

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
        onCorrect={(revisionIds, fields) => {
          const [first] = fields;
          void start({
            name: texts.misfitsQueue(fields.map(({ label }) => label)),
            revisionIds,
            field: first && `indexFields.${first.name}`,
          });
        }}
      />
    </Page>
  );
}

/** So many records are opened at once: their ids are in the address of the table. */
const MAX_OPENED = 500;

/** The definition of a table, for administrators. */
export function TableDefinitionPage() {
  const { guid } = useParams({ from: '/administration/tables/$guid' });
  const { data } = useQuery(definitionQuery('table', guid));
  const navigate = useNavigate();
  const open = (jrids: readonly string[]) => {
    const shown = jrids.slice(0, MAX_OPENED);
    const where = [{ field: 'jrid', op: 'in', value: shown.join(',') }] as const;
    void navigate(listLink({ kind: 'table', id: guid }, writeListView({ where })));
    if (shown.length < jrids.length) {
      notify(texts.firstMisfits({ shown: shown.length, total: jrids.length }));
    }
  };
  return (
    <Page title={texts.table} aside={data?.definition.name} body="prose">
      <SavedDefinition key={guid} kind="table" id={guid} onCorrect={open} />
    </Page>
  );
}
