import { createStore } from './create-store.ts';

/** `lost` after a call could not reach the server; a banner shows it. */
export const connection = createStore<'fine' | 'lost'>('fine');
