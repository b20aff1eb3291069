import type { QueryClient } from '@tanstack/react-query';
import { tableKeys } from '#web/api/tables.queries.ts';
import type { Created, DatasetCalls } from './datasets.calls.ts';
import type { Batch, RowKey, ServerRecord } from './edits.ts';
import { retryWhileUnavailable } from '#web/api/retry-while-unavailable.ts';

/** The changed cells of one record to send. */
interface RecordSave {
  readonly jrid: string;
  readonly batch: Batch;
  /** the version that they are based on */
  readonly etag: string | null;
  /** the same for each attempt, so that the service executes it once */
  readonly idempotencyKey: string;
}

/** New rows to create in one call. */
interface RowCreation {
  readonly rows: readonly { readonly key: RowKey; readonly batch: Batch }[];
  /** the same for each attempt, also in another tab */
  readonly idempotencyKey: string;
}

interface Callbacks<Variables, Answer> {
  readonly onSaved: (variables: Variables, answer: Answer) => void;
  /** the service has rejected it, or cannot be reached */
  readonly onRefused: (variables: Variables, error: Error) => Promise<void> | void;
}

interface Write<Variables, Answer> extends Callbacks<Variables, Answer> {
  readonly of: 'save' | 'create';
  readonly scopeOf: (variables: Variables) => string;
  readonly send: (variables: Variables) => Promise<Answer>;
}

/**
 * Creates the function that runs a write as a mutation of the client. The edits are in the store already, which is the
 * optimistic update; an error marks them there. The calls are retried while the service is unavailable.
 */
function mutationRunner<Variables, Answer>(
  client: QueryClient,
  guid: string,
  { of, scopeOf, send, onSaved, onRefused }: Write<Variables, Answer>,
) {
  return async (variables: Variables): Promise<void> => {
    const mutation = client.getMutationCache().build<Answer, Error, Variables, unknown>(client, {
      mutationKey: [...tableKeys.one(guid), of],
      scope: { id: `${guid} ${scopeOf(variables)}` },
      mutationFn: send,
      onSuccess: (answer) => onSaved(variables, answer),
      onError: (error) => onRefused(variables, error),
      networkMode: 'always',
      // The lists contain the saved values.
      gcTime: 0,
    });
    await mutation.execute(variables).catch(() => undefined);
  };
}

/**
 * Creates the function that saves changes of one record. Mutations of one record have one scope: they run one after the
 * other, each based on the version that the previous one returned.
 */
export const recordSaver = (
  client: QueryClient,
  guid: string,
  put: DatasetCalls['put'],
  callbacks: Callbacks<RecordSave, ServerRecord>,
) =>
  mutationRunner<RecordSave, ServerRecord>(client, guid, {
    of: 'save',
    scopeOf: ({ jrid }) => jrid,
    send: ({ jrid, batch, etag, idempotencyKey }) =>
      put({ jrid, values: batch.values, etag }, idempotencyKey),
    ...callbacks,
  });

/** Creates the function that creates rows in one call: all or none. The calls of a table run one after the other. */
export const rowsCreator = (
  client: QueryClient,
  guid: string,
  { createAll, post }: Pick<DatasetCalls, 'createAll' | 'post'>,
  callbacks: Callbacks<RowCreation, readonly Created[]>,
) =>
  mutationRunner<RowCreation, readonly Created[]>(client, guid, {
    of: 'create',
    scopeOf: () => 'new rows',
    send: ({ rows, idempotencyKey }) =>
      retryWhileUnavailable(async () => {
        const values = rows.map(({ batch }) => batch.values);
        const [only, another] = values;
        return only && !another
          ? [await post(only, idempotencyKey)]
          : createAll(values, idempotencyKey);
      }),
    ...callbacks,
  });
