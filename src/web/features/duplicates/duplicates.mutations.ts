import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as texts from '#messages/duplicates.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { apiPaths, type ListPlace } from '#web/api/paths.ts';
import { nothing, write } from '#web/api/request.ts';
import { tableKeys } from '#web/api/tables.queries.ts';
import { notify } from '#web/ui/notify.ts';

/** Records of a group that are no duplicates of each other. */
export interface NotDuplicates {
  readonly reason: string;
  /** each with the version that was compared, and the ids of those that it differs from */
  readonly records: readonly {
    readonly id: string;
    readonly etag: string | null;
    readonly others: readonly string[];
  }[];
}

/** Says why records are no duplicates of each other; they are not found together any more while their fields stay. */
export function useNotDuplicates(place: ListPlace, check: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ reason, records }: NotDuplicates) => {
      for (const { id, etag, others } of records) {
        // oxlint-disable-next-line no-await-in-loop -- each makes a new version of its record
        await write(apiPaths.checkException(place, id, check), {
          method: 'PUT',
          ifMatch: etag,
          body: { reason, with: others },
          parse: nothing,
        });
      }
      return records.reduce((sum, { others }) => sum + others.length, 0);
    },
    onSuccess: (pairs) => notify(texts.notDuplicateSaved(pairs)),
    onSettled: () => {
      const queryKey =
        place.kind === 'archive' ? archiveKeys.one(place.id) : tableKeys.one(place.id);
      void client.invalidateQueries({ queryKey });
    },
  });
}
