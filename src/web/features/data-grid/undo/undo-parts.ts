export { restoreRecords } from './deletions.ts';
export { revertStep } from './revert-step.ts';
