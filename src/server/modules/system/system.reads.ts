import { registerReads } from '#server/workers/read-work.ts';
import * as store from './collection-sizes.store.ts';

const { inWorker } = registerReads(import.meta.url);

export const readCollectionSizes = inWorker(store.readCollectionSizes);
