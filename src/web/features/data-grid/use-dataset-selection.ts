import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hasStatus, summary, toFailure } from '#web/api/failure.ts';
import { tableQuery, tablesQuery } from '#web/api/tables.queries.ts';
import { notify, notifyFailure } from '#web/ui/notify.ts';
import { deleteRecords, restoreRecords } from './deleted/deleted.mutations.ts';
import { deletedQuery } from './deleted/deleted.queries.ts';
import { readPages } from './datasets.queries.ts';
import type { EditStore } from './edit-store/edit-store.ts';
import { cachedRecord } from './record.queries.ts';
import type { Rect } from '#web/grid/rects.ts';
import { useRowSelection } from '#web/grid/use-row-selection.ts';
import type { TableRows } from './rows/use-rows.ts';
import * as undoTexts from '#messages/table-undo.ts';
import * as texts from '#messages/tables.ts';

/** The maximum of one deletion call. */
const MAX_SELECTED = 10_000;

interface SelectionOptions {
  readonly guid: string;
  readonly rows: TableRows;
  readonly editStore: EditStore;
}

/** Selecting records by their rows, deleting them, and restoring them. */
export function useDatasetSelection(options: SelectionOptions) {
  const selection = useSelectedRecords(options);
  return { ...selection, ...useDeletion(options, selection.clear) };
}

export type DatasetSelection = ReturnType<typeof useDatasetSelection>;

function useSelectedRecords({ rows }: SelectionOptions) {
  /** The records in a range of rows; null: too many, which a notice reports. */
  const recordsBetween = async (first: number, last: number) => {
    if (last - first >= MAX_SELECTED) {
      notify(texts.tooManyRowsSelected(MAX_SELECTED));
      return null;
    }
    const known = Array.from({ length: last - first + 1 }, (_, i) => rows.at(first + i));
    const between = known.includes(undefined) ? await rows.readBetween(first, last) : known;
    return between.flatMap((row) => (row?.kind === 'record' ? row.key : []));
  };
  const onError = (error: unknown) => notifyFailure(texts.rowsNotRead(summary(toFailure(error))));
  const selection = useRowSelection({
    idAt: async (index) => {
      const row = rows.at(index);
      return row?.kind === 'record' ? row.key : null;
    },
    idsBetween: recordsBetween,
    onError,
  });

  /**
   * The selected records, and those of completely selected rows; null: too many or not readable, which a notice
   * reports.
   */
  const selectedWith = async (blocks: readonly Rect[]): Promise<readonly string[] | null> => {
    const records = new Set(selection.ids);
    try {
      for (const { top, bottom } of blocks) {
        // Few, and mostly read already.
        const between = await recordsBetween(top, bottom);
        if (!between) return null;
        for (const jrid of between) records.add(jrid);
      }
    } catch (error) {
      onError(error);
      return null;
    }
    return [...records];
  };

  const select = (index: number, how: 'toggle' | 'range') => {
    if (rows.at(index)?.kind !== 'record') return;
    if (how === 'range') selection.extendTo(index);
    else selection.toggle(index);
  };

  return { ...selection, select, selectedWith };
}

/** @param clearSelection called after records were deleted */
function useDeletion({ guid, rows, editStore }: SelectionOptions, clearSelection: () => void) {
  const client = useQueryClient();
  const [deleted, setDeleted] = useState<readonly string[]>([]);

  /** Called after records were deleted or restored by undo or redo. @param back the restored ones */
  const afterChange = async (restored: readonly string[] = []) => {
    setDeleted((others) => others.filter((jrid) => !restored.includes(jrid)));
    rows.refresh();
    await Promise.all([
      client.invalidateQueries({ queryKey: tablesQuery.queryKey }),
      client.invalidateQueries({ queryKey: tableQuery(guid).queryKey }),
      client.invalidateQueries({ queryKey: deletedQuery(guid).queryKey }),
    ]);
  };

  /** Only the version that the user has seen is deleted; for rows that were never loaded, any version. */
  const versionsSeen = (): ((jrid: string) => string | null | undefined) => {
    const listed = new Map<string, string | null>();
    for (const [, page] of readPages(client, guid, rows.reading)) {
      for (const { dataset, etag } of page.rows) listed.set(dataset.jrid, etag);
    }
    return (jrid) =>
      editStore.newerThan(jrid, 0)?.etag ??
      listed.get(jrid) ??
      cachedRecord(client, guid, jrid)?.etag;
  };

  const deletion = useMutation({
    ...deleteRecords(guid, versionsSeen),
    onSuccess: async (jrids) => {
      setDeleted(jrids);
      clearSelection();
      editStore.forgetRecords(jrids);
      editStore.rememberDeletion(jrids, undoTexts.deleting(jrids.length));
      await afterChange();
    },
    onError: (error) => {
      // The list is out of date: the user must see its present state before deleting.
      if (hasStatus(error, 404, 412)) rows.refresh();
    },
  });
  const restoring = useMutation({
    ...restoreRecords(guid),
    onSuccess: async (jrids) => {
      editStore.restored(jrids);
      await afterChange(jrids);
    },
  });

  return {
    afterChange,
    deletion,
    deleted,
    forgetDeleted: () => {
      restoring.reset();
      setDeleted([]);
    },
    restoring,
  };
}
