import * as texts from '#messages/view-dialog.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { View } from '#shared/contract/workspace-answers.ts';
import type { ViewBody } from '#shared/contract/workspace-requests.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import { writeOnly } from '#web/api/request.ts';
import { viewsKey, viewsQuery } from '#web/api/views.queries.ts';
import { notify } from '#web/ui/notify.ts';
import { useSaveView } from './views.mutations.ts';

/**
 * Saves a new view, or changes the name of one and who may use it. What that one shows stays as the service holds it, also
 * where a field was renamed since it was read.
 * @param search what a new view shows
 */
export function useNameView(collection: CollectionRef, view: View | null, search: string) {
  const client = useQueryClient();
  const save = useSaveView(collection);
  return useMutation({
    mutationFn: async (named: Pick<ViewBody, 'name' | 'shared'>): Promise<View> => {
      if (!view) return save.mutateAsync({ viewId: null, body: { ...named, search } });
      const { viewId } = view;
      const views = await client.query({ ...viewsQuery(collection), staleTime: 0 });
      const current = views.find((one) => one.viewId === viewId) ?? view;
      return save.mutateAsync({ viewId, body: { ...named, search: current.search } });
    },
  });
}

export function useDeleteView(collection: CollectionRef) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ viewId }: View) =>
      writeOnly(apiPaths.view(collection, viewId), { method: 'DELETE' }),
    onSuccess: async (_, view) => {
      await client.invalidateQueries({ queryKey: viewsKey(collection) });
      notify(texts.deleted(view.name));
    },
  });
}
