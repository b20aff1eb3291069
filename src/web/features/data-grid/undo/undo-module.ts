export { readDeletions } from './deletions.ts';
export { reportOf } from './step-report.ts';
export { revertStep } from './revert-step.ts';
