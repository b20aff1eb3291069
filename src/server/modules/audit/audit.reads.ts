import { registerReads } from '#server/workers/read-work.ts';
import { answerAudit, answerEntry } from './audit.service.ts';
import { readAuditPage } from './audit.store.ts';

const { inWorker } = registerReads(import.meta.url);

export const answerAuditInWorker = inWorker(answerAudit);
export const answerEntryInWorker = inWorker(answerEntry);
export const readAuditPageInWorker = inWorker(readAuditPage);
