import type { Transaction } from '#server/database/database.ts';
import type { ListReader } from '#server/database/records/list-reader.ts';
import { registerReads } from '#server/workers/read-work.ts';
import { listOptions } from './list-options.service.ts';
import { answerIds, listCount } from './lists.service.ts';

const { inWorker, jsonInWorker } = registerReads(import.meta.url);

export const answerIdsInWorker = jsonInWorker(answerIds);
export const listCountInWorker = inWorker(listCount);
export const listOptionsInWorker = inWorker(listOptions);
export const readIdsInWorker = inWorker(function readIds(
  db: Transaction,
  ...query: Parameters<ListReader['ids']>
) {
  return db.lists.ids(...query);
});
export const countRecordsInWorker = inWorker(function countRecords(
  db: Transaction,
  ...query: Parameters<ListReader['count']>
) {
  return db.lists.count(...query);
});
