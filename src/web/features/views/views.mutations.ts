import * as texts from '#messages/views.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { View } from '#shared/contract/workspace-answers.ts';
import type { ViewBody } from '#shared/contract/workspace-requests.ts';
import { answers, onlyItem } from '#web/api/load-answer-schemas.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import { writeData, writeOnly } from '#web/api/request.ts';
import { viewsKey } from '#web/api/views.queries.ts';
import { notify } from '#web/ui/notify.ts';

interface ViewToSave {
  /** null: a new view */
  readonly viewId: string | null;
  readonly body: ViewBody;
}

/** Saves a new view, or changes an existing one. */
export function useSaveView(collection: CollectionRef) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ viewId, body }: ViewToSave): Promise<View> =>
      writeData(viewId === null ? apiPaths.views(collection) : apiPaths.view(collection, viewId), {
        method: viewId === null ? 'POST' : 'PUT',
        body,
        parse: parseView,
      }),
    onSuccess: async (view) => {
      await client.invalidateQueries({ queryKey: viewsKey(collection) });
      notify(texts.saved(view.name));
    },
  });
}

/** Stores the state in which the user leaves the list, the latest one last. If this fails, an older view is restored the next time. */
export function useRememberView(collection: CollectionRef) {
  return useMutation({
    scope: { id: `last view ${collection.id}` },
    mutationFn: (search: string) =>
      writeOnly(apiPaths.lastView(collection), { method: 'PUT', body: { search } }),
  });
}

async function parseView(raw: unknown): Promise<View> {
  return onlyItem((await answers()).viewsAnswer.parse(raw).views);
}
