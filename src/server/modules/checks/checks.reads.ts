import { registerReads } from '#server/workers/read-work.ts';
import { tryRule } from './checks.service.ts';
import { findChanges, recountFindings, withOtherRevisions } from './find-changes.ts';
import { countFound, readFigures } from './figures.service.ts';
import { computeMeasures } from './measures.ts';
import { findPageMisses } from '../page-texts/page-misses.ts';

const { inWorker } = registerReads(import.meta.url);

export const findChangesInWorker = inWorker(findChanges);
export const recountFindingsInWorker = inWorker(recountFindings);
export const withOtherRevisionsInWorker = inWorker(withOtherRevisions);
export const findPageMissesInWorker = inWorker(findPageMisses);
export const computeMeasuresInWorker = inWorker(computeMeasures);
export const readFiguresInWorker = inWorker(readFigures);
export const countFoundInWorker = inWorker(countFound);
export const tryRuleInWorker = inWorker(tryRule);
