import { watched } from './watched.ts';

/** `lost` while the last call found no server; a banner says so then. */
export const connection = watched<'fine' | 'lost'>('fine');
