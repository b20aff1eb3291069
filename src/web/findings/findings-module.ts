/** The code that forms need if checks find something; not part of the first load of any page. */
export { compileChecks } from '#shared/checks/record-checks.ts';
export { computeFindings } from './compute-findings.ts';
export { FindingNotes } from './finding-notes.tsx';
