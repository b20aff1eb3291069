/** The code that forms need if checks find something; not part of the first load of any page. */
export { computeFindings } from './compute-findings.ts';
export { createEvaluator } from './evaluate-checks.ts';
export { FindingNotes } from './finding-notes.tsx';
