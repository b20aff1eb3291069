import { registerReads } from '#server/workers/read-work.ts';
import { findDeletedRevisions, findRevisions, getQueue, listQueues } from './queues.service.ts';

const { inWorker } = registerReads(import.meta.url);

export const findRevisionsInWorker = inWorker(findRevisions);
export const findDeletedRevisionsInWorker = inWorker(findDeletedRevisions);
export const listQueuesInWorker = inWorker(listQueues);
export const getQueueInWorker = inWorker(getQueue);
