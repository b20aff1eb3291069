import type { ReadableStore } from './create-store.ts';

/** Resolves as soon as the value of a store meets a condition; rejects when aborted. */
export function whenStore<T>(
  { get, subscribe }: ReadableStore<T>,
  isMet: (value: T) => boolean,
  signal?: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const check = () => {
    if (signal?.aborted) reject(signal.reason);
    else if (isMet(get())) resolve();
  };
  const unsubscribe = subscribe(check);
  signal?.addEventListener('abort', check);
  check();
  return promise.finally(() => {
    unsubscribe();
    signal?.removeEventListener('abort', check);
  });
}
