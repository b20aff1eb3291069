import * as texts from '#messages/archive-list.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { summary, toFailure } from '#web/api/failure.ts';
import { type RowSelection, useRowSelection } from '#web/grid/use-row-selection.ts';
import { notifyFailure } from '#web/ui/notify.ts';
import type { ListFilter } from '#web/api/list-view.ts';
import { idsQuery } from './list.queries.ts';
import type { RevisionRows } from './use-revision-rows.ts';

/** The selected revisions, to correct them together. */
export type SelectedRevisions =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  /** all matches; valid only while the list shows this filter */
  | { readonly kind: 'all'; readonly filter: Required<ListFilter> };

/** The selection of an archive's list: revisions by id, or all matches. */
export interface RevisionSelection extends Omit<RowSelection, 'ids'> {
  readonly selected: SelectedRevisions;
  readonly all: () => void;
}

export function useRevisionSelection(archive: string, rows: RevisionRows): RevisionSelection {
  const client = useQueryClient();
  const [filter, setFilter] = useState<Required<ListFilter> | null>(null);
  const onError = (error: unknown) => notifyFailure(texts.notSelected(summary(toFailure(error))));
  const selection = useRowSelection({
    idAt: rows.idAt,
    idsBetween: rows.idsBetween,
    onError,
  });
  // The selection of all matches applies only to the filter for which it was made.
  if (filter !== null && filter !== rows.filter) setFilter(null);

  const toggleInAll = async (index: number, of: Required<ListFilter>) => {
    const ids = await client.query(idsQuery(archive, of));
    selection.change(() => Object.fromEntries(ids.map((id) => [id, true])));
    setFilter(null);
    selection.toggle(index);
  };
  return {
    ...selection,
    selected: filter === null ? { kind: 'ids', ids: selection.ids } : { kind: 'all', filter },
    toggle: (index) => {
      if (filter === null) selection.toggle(index);
      else toggleInAll(index, filter).catch(onError);
    },
    extendTo: (index, from) => {
      setFilter(null);
      selection.extendTo(index, from);
    },
    all: () => {
      selection.change(() => ({}));
      if (rows.count > 0) setFilter(rows.filter);
    },
    clear: () => {
      selection.clear();
      setFilter(null);
    },
  };
}
