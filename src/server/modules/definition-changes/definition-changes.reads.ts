import { registerReads } from '#server/workers/read-work.ts';
import * as evaluation from './evaluation.service.ts';

const { inWorker } = registerReads(import.meta.url);

export const evaluateChanges = inWorker(evaluation.evaluateChanges);
export const findMisfits = inWorker(evaluation.findMisfits);
export const evaluatePart = inWorker(evaluation.evaluatePart);
export const addUniquenessTallies = inWorker(evaluation.addUniquenessTallies);
