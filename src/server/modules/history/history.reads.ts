import { registerReads } from '#server/workers/read-work.ts';
import * as history from './history.service.ts';

const { inWorker } = registerReads(import.meta.url);

export const answerHistory = inWorker(history.answerHistory);
