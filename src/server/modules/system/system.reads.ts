import { registerReads } from '#server/workers/read-work.ts';
import { readCollectionSizes } from './collection-sizes.store.ts';

const { inWorker } = registerReads(import.meta.url);

export const readCollectionSizesInWorker = inWorker(readCollectionSizes);
