import type { QueryClient } from '@tanstack/react-query';
import { tableKeys } from '#web/api/tables.queries.ts';

interface Write<Answer> {
  readonly of: 'save' | 'create';
  /** writes of one scope run one after the other */
  readonly scope: string;
  /** sends it with the same idempotency key for each attempt, so that the service executes it once */
  readonly send: () => Promise<Answer>;
  readonly onSaved: (answer: Answer) => void;
  /** the service has rejected it, or cannot be reached */
  readonly onRefused: (error: Error) => Promise<void> | void;
}

/**
 * Runs a write of a table as a mutation of the client; resolves in any case. The edits are in the store already, which
 * is the optimistic update; an error marks them there.
 */
export async function runWrite<Answer>(
  client: QueryClient,
  guid: string,
  { of, scope, send, onSaved, onRefused }: Write<Answer>,
): Promise<void> {
  const mutation = client.getMutationCache().build<Answer, Error, void, unknown>(client, {
    mutationKey: [...tableKeys.one(guid), of],
    scope: { id: `${guid} ${scope}` },
    mutationFn: send,
    onSuccess: onSaved,
    onError: onRefused,
    networkMode: 'always',
    // The lists contain the saved values.
    gcTime: 0,
  });
  await mutation.execute().catch(() => undefined);
}
