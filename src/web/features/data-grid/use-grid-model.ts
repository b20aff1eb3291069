import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { TableDetail } from '#shared/contract/answers.ts';
import { allows } from '#shared/rules/rights.ts';
import type { ListView } from '#web/api/list-view.ts';
import { useIsSeenAs, useSession } from '#web/api/session.queries.ts';
import { chosenFields } from '#web/list-tools/list-field.ts';
import { gridFields } from './columns/table-fields.ts';
import { editStoreOf } from './edit-store/edit-store-of-table.ts';
import { usePaste } from './paste/use-paste.ts';
import { blockActionsOf } from './ranges/block-actions.ts';
import { useRows } from './rows/use-rows.ts';
import { useViewport } from './rows/use-viewport.ts';
import { useDatasetSelection } from './use-dataset-selection.ts';
import { useGrid } from './use-grid.ts';

interface GridModelOptions {
  readonly table: TableDetail;
  readonly view: ListView;
  /** the service has planned a large paste */
  readonly onPastePlanned: (bulkEditId: string) => void;
}

/** The rows and columns of a table as its grid shows them, and what is focused, edited, selected and pasted there. */
export function useGridModel({ table, view, onPastePlanned }: GridModelOptions) {
  const { guid, columns: allColumns } = table;
  const client = useQueryClient();
  const { username } = useSession();
  const [{ editStore, storage }] = useState(() => editStoreOf(client, username, guid));
  const isSeenAs = useIsSeenAs();
  const canWrite = allows(table.rights, 'write') && !isSeenAs;
  const fields = useMemo(() => gridFields(table), [table]);
  const chosen = view.columns?.join();
  // The same array until the fields or the names change.
  const columns = useMemo(() => chosenFields(fields, chosen?.split(',')), [fields, chosen]);
  const of = { client, guid, username, view, columns, allColumns, editStore, canWrite };

  const viewport = useViewport();
  const [focusedRow, setFocusedRow] = useState(0);
  const { from, to } = viewport.requested;
  const rows = useRows({ ...of, requiredRows: [from, to, focusedRow] });
  const grid = useGrid({ ...of, rows });
  const { focus } = grid.state;
  if (focus.row >= 0 && focus.row !== focusedRow) setFocusedRow(focus.row);
  const selection = useDatasetSelection({ ...of, rows });
  const blockActions = blockActionsOf({ ...of, grid, rows });
  const paste = usePaste({ ...of, grid, rows, blockActions, onPlanned: onPastePlanned });
  return {
    ...of,
    table,
    /** every possible column of the grid; `columns` are those that are shown, in their order */
    fields,
    /** whether the user may delete and restore records */
    canDelete: allows(table.rights, 'manage') && !isSeenAs,
    /** whether edits would be lost with the tab */
    storage,
    viewport,
    rows,
    grid,
    selection,
    blockActions,
    paste,
  };
}

export type GridModel = ReturnType<typeof useGridModel>;
