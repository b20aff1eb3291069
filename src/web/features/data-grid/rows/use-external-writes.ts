import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { tableQuery, tablesQuery } from '#web/api/tables.queries.ts';
import { useOnChange } from '#web/ui/use-on-change.ts';
import type { useDatasetSelection } from '../use-dataset-selection.ts';
import type { TableRows } from './use-rows.ts';

interface ExternalWritesOptions {
  readonly guid: string;
  readonly rows: TableRows;
  readonly selection: ReturnType<typeof useDatasetSelection>;
  /** changes whenever records were written by other means */
  readonly externalWrites: number;
}

/** Reloads the list after writes by other means than the grid, and the counts of tables after records created in it. */
export function useExternalWrites(options: ExternalWritesOptions): void {
  const { guid, rows, selection, externalWrites } = options;
  const client = useQueryClient();
  const { created } = rows;
  useEffect(() => {
    if (created === 0) return;
    void client.invalidateQueries({ queryKey: tablesQuery.queryKey });
    void client.invalidateQueries({ queryKey: tableQuery(guid).queryKey });
  }, [created, client, guid]);

  useOnChange(externalWrites, () => {
    rows.refresh();
    // Deleted records may have been restored.
    selection.forgetDeleted();
  });
}
