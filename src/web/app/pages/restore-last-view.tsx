import { type ReactNode, useState } from 'react';
import type { FieldLayout } from '#shared/rules/definitions.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { useLastView } from '#web/features/views/use-last-view.ts';
import { Page } from '#web/ui/page.tsx';
import { bulkEditInAddress, type JobTask } from '../bulk-edit-in-address.ts';
import { PagePending } from '../page-pending.tsx';
import { useListView } from './use-list-view.ts';

interface RestoreLastViewProps {
  readonly route: Parameters<typeof useListView>[0];
  readonly collection: CollectionRef;
  readonly title: string;
  readonly fields: readonly (FieldLayout & { readonly name: string })[];
  /** @param bulkEdit the bulk edit that is shown over the list at first */
  readonly children: (bulkEdit: JobTask | null) => ReactNode;
}

/** Opened without a view, an archive or table shows the view that its user last left. */
export function RestoreLastView(props: RestoreLastViewProps) {
  const { route, collection, title, fields, children } = props;
  const { view, search, changeView } = useListView(route);
  // The restored view has an address without the bulk edit.
  const [bulkEdit] = useState(() => bulkEditInAddress(search));
  const { isRestored, isRetrying } = useLastView(
    collection,
    view,
    firstSortOf(fields),
    (change) => {
      changeView(change, { replace: true });
    },
  );
  if (isRestored) return children(bulkEdit);
  return <Page title={title}>{isRetrying ? <PagePending /> : null}</Page>;
}

/** The default sorting of a list by its definition: `-DATE`, `NO`. */
function firstSortOf(fields: RestoreLastViewProps['fields']): readonly string[] {
  return fields.flatMap(({ name, listSort }) => {
    if (listSort === undefined) return [];
    return [listSort === 'descending' ? `-${name}` : name];
  });
}
