import type { Transaction } from '#server/database/database.ts';
import type { ListReader } from '#server/database/records/list-reader.ts';
import { registerReads } from '#server/workers/read-work.ts';
import { datasetsPage } from './datasets-lists.ts';
import { deletedDatasets } from './deleted-datasets.service.ts';
import { groupsOfMatching } from './value-groups.service.ts';
import { statisticsOfMatching, statisticsOfSelected } from './statistics.service.ts';

const { inWorker, jsonInWorker } = registerReads(import.meta.url);

export const datasetsPageInWorker = jsonInWorker(datasetsPage);
export const positionInListInWorker = inWorker(function positionInList(
  db: Transaction,
  ...query: Parameters<ListReader['position']>
) {
  return db.lists.position(...query);
});
export const deletedDatasetsInWorker = inWorker(deletedDatasets);
export const statisticsOfMatchingInWorker = inWorker(statisticsOfMatching);
export const statisticsOfSelectedInWorker = inWorker(statisticsOfSelected);
export const groupsOfMatchingInWorker = inWorker(groupsOfMatching);
