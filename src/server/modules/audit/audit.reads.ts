import { registerReads } from '#server/workers/read-work.ts';
import * as audit from './audit.service.ts';
import * as store from './audit.store.ts';

const { inWorker } = registerReads(import.meta.url);

export const answerAudit = inWorker(audit.answerAudit);
export const answerEntry = inWorker(audit.answerEntry);
export const readPage = inWorker(store.readPage);
