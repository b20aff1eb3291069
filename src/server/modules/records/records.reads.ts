import type { Transaction } from '#server/database/database.ts';
import type { ListReader } from '#server/database/records/list-reader.ts';
import { registerReads } from '#server/workers/read-work.ts';
import * as options from './list-options.service.ts';
import * as lists from './lists.service.ts';

const { inWorker } = registerReads(import.meta.url);

export const listCount = inWorker(lists.listCount);
export const listOptions = inWorker(options.listOptions);
export const readIds = inWorker(function readIds(
  db: Transaction,
  ...query: Parameters<ListReader['ids']>
) {
  return db.lists.ids(...query);
});
export const countRecords = inWorker(function countRecords(
  db: Transaction,
  ...query: Parameters<ListReader['count']>
) {
  return db.lists.count(...query);
});
