import { registerReads } from '#server/workers/read-work.ts';
import * as locks from './locks.service.ts';
import * as lists from './documents-lists.ts';

const { inWorker, jsonInWorker } = registerReads(import.meta.url);

export const indexPage = jsonInWorker(lists.indexPage);
export const documentsPage = jsonInWorker(lists.documentsPage);
export const answerLocks = inWorker(locks.answerLocks);
export const revisionIds = jsonInWorker(lists.revisionIds);
