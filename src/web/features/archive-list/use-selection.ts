import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { summary, toFailure } from '#web/api/failure.ts';
import { notify } from '#web/ui/notify.ts';
import { idsQuery } from './list.queries.ts';
import { NONE, type Selection, withRange, withToggled } from './revision-selection.ts';
import type { RevisionRows } from './use-revision-rows.ts';

/** What a list's keys and clicks do to its selection. */
export interface SelectionActions {
  readonly toggle: (index: number) => void;
  /** selects from the last toggled or clicked row to this one */
  readonly extendTo: (index: number) => void;
  /** the row from which the next range starts */
  readonly startAt: (index: number) => void;
  readonly all: () => void;
  readonly clear: () => void;
}

/** The selection of a list. Ranges over rows that are not there yet ask the service for their ids. */
export function useSelection(archive: string, rows: RevisionRows): [Selection, SelectionActions] {
  const client = useQueryClient();
  const [selection, setSelection] = useState<Selection>(NONE);
  const anchor = useRef(0);
  // What was selected beside the range that is being extended.
  const beside = useRef<ReadonlySet<string>>(new Set());
  const latest = useRef(0);

  // "All that match" means the filter it was said of.
  if (selection.kind === 'all' && selection.filter !== rows.filter) setSelection(NONE);

  const later = async (work: () => Promise<Selection>) => {
    const turn = ++latest.current;
    try {
      const next = await work();
      if (turn === latest.current) setSelection(next);
    } catch (error) {
      notify(`The revisions could not be selected. ${summary(toFailure(error))}`);
    }
  };
  const idsNow = async (): Promise<ReadonlySet<string>> =>
    selection.kind === 'ids'
      ? selection.ids
      : new Set(await client.query(idsQuery(archive, selection.filter)));

  return [
    selection,
    {
      startAt: (index) => {
        anchor.current = index;
        beside.current = selection.kind === 'ids' ? selection.ids : new Set();
      },
      toggle: (index) => {
        anchor.current = index;
        void later(async () => {
          const id = await rows.idAt(index);
          const ids = await idsNow();
          if (id === null) return selection;
          const next = withToggled(ids, id);
          if (next.kind === 'ids') beside.current = next.ids;
          return next;
        });
      },
      extendTo: (index) => {
        const [from, to] = [Math.min(anchor.current, index), Math.max(anchor.current, index)];
        void later(async () => withRange(beside.current, await rows.idsBetween(from, to)));
      },
      all: () => {
        latest.current++;
        beside.current = new Set();
        if (rows.count > 0) setSelection({ kind: 'all', filter: rows.filter });
      },
      clear: () => {
        latest.current++;
        beside.current = new Set();
        setSelection(NONE);
      },
    },
  ];
}
