import type { MutationOptions, QueryClient } from '@tanstack/react-query';
import { tableKeys } from '#web/api/tables.queries.ts';
import type { DatasetCalls } from './datasets.calls.ts';
import type { Batch, Stored } from './edits.ts';

/** The changed cells of one record, as they are sent. */
export interface RecordSave {
  readonly jrid: string;
  readonly batch: Batch;
  /** the version that they are meant for */
  readonly etag: string | null;
  /** the same for each try, so that the service does it once */
  readonly idempotencyKey: string;
}

interface SaveCallbacks {
  readonly onSaved: (save: RecordSave, stored: Stored) => void;
  /** the service has refused it, or cannot be asked */
  readonly onRefused: (save: RecordSave, error: Error) => Promise<void>;
}

/**
 * Makes the function that saves changes of one record as a mutation. Mutations of one record have one scope: they run one
 * after the other, each against the version that the one before has answered. The client tries again while the service is
 * away (`batchedPuts`). The edits are in the store already, which is the optimistic update; a refusal marks them there.
 */
export function recordSaver(
  client: QueryClient,
  guid: string,
  put: DatasetCalls['put'],
  { onSaved, onRefused }: SaveCallbacks,
): (save: RecordSave) => Promise<unknown> {
  return (save) => {
    const { jrid, batch, etag, idempotencyKey } = save;
    const options: MutationOptions<Stored, Error, RecordSave> = {
      mutationKey: [...tableKeys.one(guid), 'save'],
      scope: { id: `${guid} ${jrid}` },
      mutationFn: () => put({ jrid, values: batch.values, etag }, idempotencyKey),
      onSuccess: (stored) => onSaved(save, stored),
      onError: (error) => onRefused(save, error),
      networkMode: 'always',
      // What was saved is in the lists.
      gcTime: 0,
    };
    const mutation = client.getMutationCache().build(client, options);
    return mutation.execute(save).catch(() => undefined);
  };
}
