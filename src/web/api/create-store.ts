/** A value outside React that components can subscribe to with `useStore`. */
export interface Store<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** A store whose value only its owner sets. */
export type ReadableStore<T> = Pick<Store<T>, 'get' | 'subscribe'>;

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Resolves after `milliseconds`, or as soon as the browser is online again; rejects when aborted. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const done = () => resolve();
  const aborted = () => reject(signal?.reason ?? new DOMException('Aborted', 'AbortError'));
  const timer = setTimeout(done, milliseconds);
  addEventListener('online', done);
  signal?.addEventListener('abort', aborted);
  if (signal?.aborted) aborted();
  return promise.finally(() => {
    clearTimeout(timer);
    removeEventListener('online', done);
    signal?.removeEventListener('abort', aborted);
  });
}
