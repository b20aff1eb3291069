import { AsyncLocalStorage } from 'node:async_hooks';

const transactionContext = new AsyncLocalStorage<true>();

/**
 * Runs a read or write, and rejects one that is nested in another: a nested write would deadlock, and nested reads
 * would eventually hold all connections.
 */
export function assertNoNestedTransaction<T>(run: () => Promise<T>): Promise<T> {
  if (transactionContext.getStore()) {
    return Promise.reject(
      new Error('A read or write was started within another: use the database that was passed in.'),
    );
  }
  return transactionContext.run(true, run);
}
