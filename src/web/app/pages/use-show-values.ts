import { useNavigate } from '@tanstack/react-router';
import { type ListView, writeListView } from '#web/api/list-view.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { valuesLink } from '#web/api/list-link.ts';

/** Opens the page with the values of a field, in the records that the list shows. */
export function useShowValues(collection: CollectionRef, view: ListView): (name: string) => void {
  const navigate = useNavigate();
  return (name) => void navigate(valuesLink(collection, name, writeListView(view)));
}
