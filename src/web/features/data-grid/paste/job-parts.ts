/* What carries a large paste out: loaded apart from the grid, as nobody has pasted anything yet. */
export { chunksOf, newJob } from './chunks.ts';
export { handOver } from './hand-over.ts';
export { createRunner } from './runner.ts';
