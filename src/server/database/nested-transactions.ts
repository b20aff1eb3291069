import { AsyncLocalStorage } from 'node:async_hooks';

const inside = new AsyncLocalStorage<true>();

/**
 * Runs what reads or writes, refusing it within another read or write: a write would wait for itself for
 * ever, and reads that wait for reads would once hold every connection.
 */
export function assertNoNestedTransaction<T>(run: () => Promise<T>): Promise<T> {
  if (inside.getStore()) {
    return Promise.reject(
      new Error('A read or write was begun within another: use the database that was passed in.'),
    );
  }
  return inside.run(true, run);
}
