import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { summary, toFailure } from '#web/api/failure.ts';
import { shownCount } from '#web/api/reader.ts';
import { tableQuery, tablesQuery } from '#web/api/tables.queries.ts';
import { notify } from '#web/ui/notify.ts';
import { deletedKey } from './deleted/deleted.queries.ts';
import { type Deletion, deleteDatasets, undoDeletion } from './datasets.calls.ts';
import { readPages } from './datasets.queries.ts';
import type { Desk } from './desk.ts';
import { recordRead } from './panel/record.queries.ts';
import { selectionOf } from './grid-state.ts';
import type { Grid } from './use-grid.ts';
import type { Rows } from './use-rows.ts';

/** As many as one call deletes. */
const MOST_CHOSEN = 10_000;

interface SelectionOptions {
  readonly guid: string;
  readonly grid: Grid;
  readonly rows: Rows;
  readonly desk: Desk;
}

/** Selecting rows, deleting them, and taking that back. */
export function useRowSelection({ guid, grid, rows, desk }: SelectionOptions) {
  const client = useQueryClient();
  const { selected, selectedFrom } = grid.state;
  const [deleted, setDeleted] = useState<readonly string[]>([]);

  const setSelected = (keys: ReadonlySet<string>, from: number | null) =>
    grid.dispatch({ do: 'select', selected: keys, from });

  const selectRange = async (from: number, to: number) => {
    const [first, last] = [Math.min(from, to), Math.max(from, to)];
    if (last - first >= MOST_CHOSEN) {
      notify(`At most ${shownCount(MOST_CHOSEN)} rows are chosen at once. Choose fewer.`);
      return;
    }
    const here = Array.from({ length: last - first + 1 }, (_, i) => rows.at(first + i));
    try {
      // The range may reach over rows that were never read.
      const between = here.includes(undefined) ? await rows.readBetween(first, last) : here;
      const records = between.flatMap((row) => (row?.kind === 'record' ? row.key : []));
      setSelected(selectionOf(selected, records, 'range'), from);
    } catch (error) {
      notify(`The rows could not be read: ${summary(toFailure(error))}`);
    }
  };

  const select = (index: number, how: 'toggle' | 'range') => {
    const row = rows.at(index);
    if (row?.kind !== 'record') return;
    if (how === 'range' && selectedFrom !== null) void selectRange(selectedFrom, index);
    else setSelected(selectionOf(selected, [row.key], 'toggle'), index);
  };

  const afterwards = async () => {
    rows.readAnew();
    await Promise.all([
      client.invalidateQueries({ queryKey: tablesQuery.queryKey }),
      client.invalidateQueries({ queryKey: tableQuery(guid).queryKey }),
      client.invalidateQueries({ queryKey: deletedKey(guid) }),
    ]);
  };

  const deletion = useMutation({
    mutationFn: async (jrids: readonly string[]) => {
      await deleteDatasets(
        guid,
        jrids.map((jrid) => versioned(jrid)),
      );
      return jrids;
    },
    onSuccess: async (jrids) => {
      setDeleted(jrids);
      setSelected(new Set(), null);
      desk.forgetRecords(jrids);
      await afterwards();
    },
    onError: (error) => {
      const failure = toFailure(error);
      // The list is out of date: what it shows must be seen before it is deleted.
      if (failure.kind === 'api' && [404, 412].includes(failure.status)) rows.readAnew();
    },
  });
  const restoring = useMutation({
    mutationFn: async (jrids: readonly string[]) => {
      await undoDeletion(guid, jrids);
      return jrids;
    },
    onSuccess: async (jrids) => {
      setDeleted((others) => others.filter((jrid) => !jrids.includes(jrid)));
      await afterwards();
    },
  });

  /** Only the version that was seen is deleted; of rows that were never read, whichever there is. */
  const versioned = (jrid: string): Deletion => {
    const newest = desk.newerThan(jrid, 0);
    const listed = readPages(client, guid, rows.reading)
      .flatMap(([, page]) => page.rows)
      .find(({ dataset }) => dataset.jrid === jrid);
    const etag = (newest ?? listed ?? recordRead(client, guid, jrid))?.etag;
    return { jrid, ...(etag ? { ifMatch: etag } : {}) };
  };

  return {
    selected,
    select,
    clear: () => setSelected(new Set(), null),
    deletion,
    deleted,
    forgetDeleted: () => {
      restoring.reset();
      setDeleted([]);
    },
    restoring,
  };
}

export type RowSelection = ReturnType<typeof useRowSelection>;
