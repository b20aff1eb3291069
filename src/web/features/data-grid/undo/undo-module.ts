export { undoDeletions } from './deletions.ts';
export { outcomeText, unrevertedIn } from './outcome-text.ts';
export { revertStep } from './revert-step.ts';
