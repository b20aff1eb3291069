import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { tableQuery } from '#web/api/tables.queries.ts';
import { Page } from '#web/ui/page.tsx';

const route = getRouteApi('/frame/tables/$guid');

/** A table: the grid of its datasets. */
export function TablePage() {
  const { guid } = route.useParams();
  const { data: table } = useSuspenseQuery(tableQuery(guid));
  return (
    <Page title={table.label} aside={`${table.datasets.toLocaleString('en')} datasets`}>
      {null}
    </Page>
  );
}
