import { createStore } from './create-store.ts';

/** `lost` while the last call found no server; a banner says so then. */
export const connection = createStore<'fine' | 'lost'>('fine');
