import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ViewBody } from '#shared/contract/workspace-requests.ts';
import type { ListPlace } from '#web/api/paths.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import { notify } from '#web/ui/notify.ts';
import { invalidateViews, saveView } from './views.queries.ts';

interface Saved {
  /** null: a new one */
  readonly viewId: string | null;
  readonly body: ViewBody;
}

/** Saves a view where no dialog stands open to say what went wrong. */
export function useSaveView(place: ListPlace) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ viewId, body }: Saved) => saveView(place, viewId, body),
    onSuccess: async (view) => {
      await invalidateViews(client, place);
      notify(`The view “${view.name}” is saved.`);
    },
    onError: (error) => notify(`The view was not saved. ${summary(toFailure(error))}`),
  });
}
