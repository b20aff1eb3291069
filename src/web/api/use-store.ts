import { useSyncExternalStore } from 'react';
import type { Store } from './create-store.ts';

/** The value of a store; the component is rendered again when it changes. */
export function useStore<T>(store: Pick<Store<T>, 'get' | 'subscribe'>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
