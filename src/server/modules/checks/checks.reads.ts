import { registerReads } from '#server/workers/read-work.ts';
import * as changes from './find-changes.ts';
import * as figures from './figures.service.ts';
import * as measures from './measures.ts';
import * as pageMisses from '../page-texts/page-misses.ts';

const { inWorker } = registerReads(import.meta.url);

export const findChanges = inWorker(changes.findChanges);
export const recountFindings = inWorker(changes.recountFindings);
export const withOtherRevisions = inWorker(changes.withOtherRevisions);
export const findPageMisses = inWorker(pageMisses.findPageMisses);
export const computeMeasures = inWorker(measures.computeMeasures);
export const readFigures = inWorker(figures.readFigures);
export const countFound = inWorker(figures.countFound);
