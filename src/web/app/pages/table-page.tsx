import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type ListView, readListView, writeListView } from '#web/api/list-view.ts';
import { tableQuery } from '#web/api/tables.queries.ts';
import { DataGrid } from '#web/features/data-grid/data-grid.tsx';
import { Page } from '#web/ui/page.tsx';

const route = getRouteApi('/frame/tables/$guid');

/** A table: the grid of its datasets. */
export function TablePage() {
  const { guid } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const { data: table } = useSuspenseQuery(tableQuery(guid));
  const view = useMemo(() => readListView(search), [search]);
  const onViewChange = (next: ListView) =>
    void navigate({
      to: '/tables/$guid',
      params: { guid },
      search: writeListView(next),
      replace: true,
    });
  return (
    <Page title={table.label} aside={table.rights === 'read' ? 'read only' : undefined}>
      <DataGrid key={table.guid} table={table} view={view} onViewChange={onViewChange} />
    </Page>
  );
}
