import { registerReads } from '#server/workers/read-work.ts';
import * as queues from './queues.service.ts';

const { inWorker } = registerReads(import.meta.url);

export const findRevisions = inWorker(queues.findRevisions);
export const findDeletedRevisions = inWorker(queues.findDeletedRevisions);
export const listQueues = inWorker(queues.listQueues);
export const getQueue = inWorker(queues.getQueue);
