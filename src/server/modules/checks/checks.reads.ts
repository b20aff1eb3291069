import { registerReads } from '#server/workers/read-work.ts';
import * as records from './found-records.ts';
import * as figures from './figures.service.ts';
import * as measures from './measures.ts';
import * as pageMisses from '../page-texts/page-misses.ts';

const { inWorker } = registerReads(import.meta.url);

export const recordsFound = inWorker(records.recordsFound);
export const duplicateKeys = inWorker(records.duplicateKeys);
export const findPageMisses = inWorker(pageMisses.findPageMisses);
export const reckonMeasures = inWorker(measures.reckonMeasures);
export const readFigures = inWorker(figures.readFigures);
export const countFound = inWorker(figures.countFound);
