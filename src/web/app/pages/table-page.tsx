import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { TableDetail } from '#shared/answers.ts';
import { type ListView, readListView, writeListView } from '#web/api/list-view.ts';
import { tableQuery } from '#web/api/tables.queries.ts';
import { DataGrid } from '#web/features/data-grid/data-grid.tsx';
import { GRID_KEYS } from '#web/features/data-grid/keys.ts';
import { GridFilter, GridToolbar } from '#web/features/data-grid/grid-toolbar.tsx';
import { KeySheet } from '#web/ui/key-sheet.tsx';
import { Page } from '#web/ui/page.tsx';
import classes from './table-page.module.css';

const route = getRouteApi('/frame/tables/$guid');

/** A table: the grid of its datasets. */
export function TablePage() {
  const { guid } = route.useParams();
  const { data: table } = useSuspenseQuery(tableQuery(guid));
  return <TableDesk key={table.guid} table={table} />;
}

function TableDesk({ table }: { readonly table: TableDetail }) {
  const { guid } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const view = useMemo(() => readListView(search), [search]);
  const [filtering, setFiltering] = useState((view.where?.length ?? 0) > 0);
  const onViewChange = (next: ListView) =>
    void navigate({
      to: '/tables/$guid',
      params: { guid },
      search: writeListView(next),
      replace: true,
    });
  return (
    <Page
      title={table.label}
      aside={table.rights === 'read' ? 'Read only' : undefined}
      actions={
        <GridToolbar
          table={table}
          view={view}
          onViewChange={onViewChange}
          filtering={filtering}
          onFiltering={setFiltering}
        />
      }
    >
      <div className={classes.desk}>
        {filtering && <GridFilter table={table} view={view} onViewChange={onViewChange} />}
        <div className={classes.grid}>
          <DataGrid table={table} view={view} onViewChange={onViewChange} />
        </div>
      </div>
      <KeySheet sections={GRID_KEYS} />
    </Page>
  );
}
