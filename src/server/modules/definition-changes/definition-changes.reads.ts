import { registerReads } from '#server/workers/read-work.ts';
import {
  addUniquenessTallies,
  evaluateChanges,
  evaluatePart,
  findMisfits,
} from './evaluation.service.ts';

const { inWorker } = registerReads(import.meta.url);

export const evaluateChangesInWorker = inWorker(evaluateChanges);
export const findMisfitsInWorker = inWorker(findMisfits);
export const evaluatePartInWorker = inWorker(evaluatePart);
export const addUniquenessTalliesInWorker = inWorker(addUniquenessTallies);
