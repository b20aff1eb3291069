import { COLLECTION_THRESHOLDS } from '#server/workers/memory-budget.ts';

/**
 * Leaves garbage to V8. The service collects it before it reads a spreadsheet while its process takes much memory, which
 * a process that runs tests always does: each collection takes half a second.
 */
export function leaveGarbage(): void {
  COLLECTION_THRESHOLDS.high = Number.POSITIVE_INFINITY;
}
