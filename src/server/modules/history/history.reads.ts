import { registerReads } from '#server/workers/read-work.ts';
import { answerHistory } from './history.service.ts';

const { inWorker } = registerReads(import.meta.url);

export const answerHistoryInWorker = inWorker(answerHistory);
