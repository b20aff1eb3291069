import type { Transaction } from '#server/database/database.ts';
import type { ListReader } from '#server/database/records/list-reader.ts';
import { registerReads } from '#server/workers/read-work.ts';
import * as lists from './datasets-lists.ts';
import * as deleted from './deleted-datasets.service.ts';
import * as groups from './value-groups.service.ts';
import * as statistics from './statistics.service.ts';

const { inWorker, jsonInWorker } = registerReads(import.meta.url);

export const datasetsPage = jsonInWorker(lists.datasetsPage);
export const datasetIds = jsonInWorker(lists.datasetIds);
export const positionInList = inWorker(function positionInList(
  db: Transaction,
  ...query: Parameters<ListReader['position']>
) {
  return db.lists.position(...query);
});
export const deletedDatasets = inWorker(deleted.deletedDatasets);
export const statisticsOfMatching = inWorker(statistics.statisticsOfMatching);
export const statisticsOfSelected = inWorker(statistics.statisticsOfSelected);
export const groupsOfMatching = inWorker(groups.groupsOfMatching);
