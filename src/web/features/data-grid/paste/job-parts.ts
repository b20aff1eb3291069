/* What compares a paste with the table, and carries a large one out: loaded apart from the grid, as nobody has pasted anything yet. */
export { chunksOf, newJob } from './chunks.ts';
export { handOver } from './hand-over.ts';
export { findHolders } from './holders.ts';
export { createRunner } from './runner.ts';
export { withUniqueMarked } from './unique-values.ts';
