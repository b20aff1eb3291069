import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Dataset } from '#shared/contract/answers.ts';
import { notify } from '#web/ui/notify.ts';
import { useLatest } from '#web/ui/use-latest.ts';
import { cachedRecord } from '../record.queries.ts';
import type { Rect } from '#web/grid/rects.ts';
import type { DatasetSelection } from '../use-dataset-selection.ts';
import type { TableRows } from '../rows/use-rows.ts';
import type { Grid } from '../use-grid.ts';
import * as texts from '#messages/tables.ts';

/** How many records' values are searched for references at once (`record/uses.queries.ts`). */
const MAX_CHECKED_FOR_USES = 200;

interface DeleteConfirmationOptions {
  readonly guid: string;
  readonly grid: Grid;
  readonly rows: TableRows;
  readonly selection: DatasetSelection;
  readonly canDelete: boolean;
}

/** The datasets to delete. */
interface DeletionTarget {
  readonly jrids: readonly string[];
  /** those whose values are loaded, at most `MAX_CHECKED_FOR_USES` */
  readonly known: readonly Dataset[];
}

/** Asks for confirmation before datasets are deleted, for every command that deletes. */
export function useDeleteConfirmation(options: DeleteConfirmationOptions) {
  const { guid, grid, rows, selection, canDelete } = options;
  const client = useQueryClient();
  const latestState = useLatest(grid.state);
  const [opened, setOpened] = useState(false);
  // They stay named while the dialog closes.
  const [target, setTarget] = useState<DeletionTarget>({ jrids: [], known: [] });

  const open = (jrids: readonly string[]) => {
    const known = jrids.slice(0, MAX_CHECKED_FOR_USES).flatMap((jrid) => {
      const stored = rows.at(rows.indexOf(jrid) ?? -1)?.stored;
      return (stored ?? cachedRecord(client, guid, jrid))?.dataset ?? [];
    });
    setTarget({ jrids, known });
    setOpened(true);
  };
  /** Asks about the selected records, and about completely selected rows. */
  const openForRows = (whole: readonly Rect[]) => {
    if (!canDelete) {
      notify(texts.mayNotDelete);
      return;
    }
    const before = latestState.current;
    const find = async () => {
      const jrids = await selection.selectedWith(whole);
      if (!jrids) return;
      if (jrids.length === 0) notify(texts.chooseFirst);
      // The rows may have been loaded late: the question would interrupt what the user types by now.
      else if (latestState.current === before) open(jrids);
      else notify(texts.deleteAgain);
    };
    void find();
  };
  const close = () => {
    setOpened(false);
    selection.deletion.reset();
  };
  return { ...target, opened, open, openForRows, close };
}

export type DeleteConfirmation = ReturnType<typeof useDeleteConfirmation>;
