import type { HistoryEntry } from '#shared/contract/answers.ts';
import { answers } from './load-answer-schemas.ts';
import { readData } from './request.ts';

/**
 * Reads a history, newest first.
 * @param path of `apiPaths.revisionHistory` or `apiPaths.datasetHistory`
 * @throws {CallError}
 */
export async function readHistory(
  path: string,
  signal?: AbortSignal,
): Promise<readonly HistoryEntry[]> {
  return readData(path, {
    signal,
    parse: async (raw) => (await answers()).historyAnswer.parse(raw).history,
  });
}
