import { registerReads } from '#server/workers/read-work.ts';
import * as cleanup from './value-cleanup.service.ts';

const { inWorker } = registerReads(import.meta.url);

export const findClusters = inWorker(cleanup.findClusters);
