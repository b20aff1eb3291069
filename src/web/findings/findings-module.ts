/** What forms need where checks find something; no page begins with it. */
export { computeFindings } from './compute-findings.ts';
export { evaluatorOf } from './evaluate-checks.ts';
export { FindingNotes } from './finding-notes.tsx';
