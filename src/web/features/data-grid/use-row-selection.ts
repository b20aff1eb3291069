import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { summary, toFailure } from '#web/api/failure.ts';
import { formatCount } from '#shared/messages/format.ts';
import { tableQuery, tablesQuery } from '#web/api/tables.queries.ts';
import { notify } from '#web/ui/notify.ts';
import { deletedKey } from './deleted/deleted.queries.ts';
import { datasetCalls } from './edit-store/datasets.calls.ts';
import { readPages } from './rows/datasets.queries.ts';
import type { EditStore } from './edit-store/edit-store.ts';
import { recordRead } from './record/record.queries.ts';
import { selectionOf } from './grid-state.ts';
import type { Rect } from '#web/grid/rects.ts';
import { restoreRecords } from './undo/deletions.ts';
import type { Grid } from './use-grid.ts';
import type { Rows } from './rows/use-rows.ts';

/** As many as one call deletes. */
const MOST_CHOSEN = 10_000;

interface SelectionOptions {
  readonly guid: string;
  readonly grid: Grid;
  readonly rows: Rows;
  readonly editStore: EditStore;
}

/** Selecting rows, deleting them, and taking that back. */
export function useRowSelection({ guid, grid, rows, editStore }: SelectionOptions) {
  const client = useQueryClient();
  const { selected, selectedFrom } = grid.state;
  const [deleted, setDeleted] = useState<readonly string[]>([]);

  const setSelected = (keys: ReadonlySet<string>, from: number | null) =>
    grid.dispatch({ do: 'select', selected: keys, from });

  /** The records in the rows from one to another; null: that was refused, and said. */
  const recordsBetween = async (first: number, last: number) => {
    if (last - first >= MOST_CHOSEN) {
      notify(`At most ${formatCount(MOST_CHOSEN)} rows are chosen at once. Choose fewer.`);
      return null;
    }
    const here = Array.from({ length: last - first + 1 }, (_, i) => rows.at(first + i));
    try {
      // The range may reach over rows that were never read.
      const between = here.includes(undefined) ? await rows.readBetween(first, last) : here;
      return between.flatMap((row) => (row?.kind === 'record' ? row.key : []));
    } catch (error) {
      notify(`The rows could not be read: ${summary(toFailure(error))}`);
      return null;
    }
  };

  const selectRange = async (from: number, to: number) => {
    const records = await recordsBetween(Math.min(from, to), Math.max(from, to));
    if (records) setSelected(selectionOf(selected, records, 'range'), from);
  };

  /** The records that were chosen, and those whose whole rows are selected; null: that was refused, and said. */
  const chosen = async (blocks: readonly Rect[]): Promise<readonly string[] | null> => {
    const records = new Set(selected);
    for (const { top, bottom } of blocks) {
      // oxlint-disable-next-line no-await-in-loop -- few, and mostly read already
      const between = await recordsBetween(top, bottom);
      if (!between) return null;
      for (const jrid of between) records.add(jrid);
    }
    return [...records];
  };

  const select = (index: number, how: 'toggle' | 'range') => {
    const row = rows.at(index);
    if (row?.kind !== 'record') return;
    if (how === 'range' && selectedFrom !== null) void selectRange(selectedFrom, index);
    else setSelected(selectionOf(selected, [row.key], 'toggle'), index);
  };

  /** Records came or went by undoing and doing again. @param back those that had been deleted */
  const afterwards = async (back: readonly string[] = []) => {
    setDeleted((others) => others.filter((jrid) => !back.includes(jrid)));
    rows.readAnew();
    await Promise.all([
      client.invalidateQueries({ queryKey: tablesQuery.queryKey }),
      client.invalidateQueries({ queryKey: tableQuery(guid).queryKey }),
      client.invalidateQueries({ queryKey: deletedKey(guid) }),
    ]);
  };

  const deletion = useMutation({
    mutationFn: async (jrids: readonly string[]) => {
      const etagOf = versionsSeen();
      await datasetCalls(guid).delete(
        jrids.map((jrid) => {
          const ifMatch = etagOf(jrid);
          return { jrid, ...(ifMatch ? { ifMatch } : {}) };
        }),
      );
      return jrids;
    },
    onSuccess: async (jrids) => {
      setDeleted(jrids);
      setSelected(new Set(), null);
      editStore.forgetRecords(jrids);
      const what = jrids.length === 1 ? 'a record' : `${formatCount(jrids.length)} records`;
      editStore.rememberDeletion(jrids, `deleting ${what}`);
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
      await restoreRecords(jrids, { calls: datasetCalls(guid) });
      return jrids;
    },
    onSuccess: async (jrids) => {
      editStore.restored(jrids);
      await afterwards(jrids);
    },
  });

  /** Only the version that was seen is deleted; of rows that were never read, whichever there is. */
  const versionsSeen = (): ((jrid: string) => string | null | undefined) => {
    const listed = new Map<string, string | null>();
    for (const [, page] of readPages(client, guid, rows.reading)) {
      for (const { dataset, etag } of page.rows) listed.set(dataset.jrid, etag);
    }
    return (jrid) =>
      editStore.newerThan(jrid, 0)?.etag ??
      listed.get(jrid) ??
      recordRead(client, guid, jrid)?.etag;
  };

  return {
    selected,
    select,
    chosen,
    afterwards,
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
