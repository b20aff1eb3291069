import { registerReads } from '#server/workers/read-work.ts';
import { answerLocks } from './locks.service.ts';
import { documentsPage, indexPage } from './documents-lists.ts';

const { inWorker, jsonInWorker } = registerReads(import.meta.url);

export const indexPageInWorker = jsonInWorker(indexPage);
export const documentsPageInWorker = jsonInWorker(documentsPage);
export const answerLocksInWorker = inWorker(answerLocks);
