import { registerReads } from '#server/workers/read-work.ts';
import {
  addUniquenessTallies,
  tallyChanges,
  tallyRecordsAfter,
  findMisfits,
} from './change-tallies.service.ts';

const { inWorker } = registerReads(import.meta.url);

export const tallyChangesInWorker = inWorker(tallyChanges);
export const findMisfitsInWorker = inWorker(findMisfits);
export const tallyRecordsAfterInWorker = inWorker(tallyRecordsAfter);
export const addUniquenessTalliesInWorker = inWorker(addUniquenessTallies);
