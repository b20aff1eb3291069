import { registerReads } from '#server/workers/read-work.ts';
import { findClusters } from './value-cleanup.service.ts';

const { inWorker } = registerReads(import.meta.url);

export const findClustersInWorker = inWorker(findClusters);
