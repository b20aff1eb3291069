import type { Transaction } from '#server/database/database.ts';
import { countRecords, readIds } from '#server/database/records/list-records.ts';
import { writeJson, type JsonBytes } from '#server/http/encodings.ts';
import { positionInList } from '#server/database/records/list-position.ts';
import { datasetIds, datasetsPage } from '#server/modules/datasets/datasets-lists.ts';
import {
  documentsPage,
  indexPage,
  revisionIds,
} from '#server/modules/documents/documents-lists.ts';
import { answerHistory } from '#server/modules/history/history.service.ts';
import { listOptions } from '#server/modules/records/list-options.service.ts';
import { listCount } from '#server/modules/records/lists.service.ts';
import {
  findGone,
  findRevisions,
  getQueue,
  listQueues,
} from '#server/modules/queues/queues.service.ts';
import { suggestValues } from '#server/modules/suggestions/suggestions.service.ts';
import { deletedDatasets } from '#server/modules/datasets/deleted-datasets.service.ts';
import { factsOfMatching, factsOfSelected } from '#server/modules/datasets/statistics.service.ts';
import { groupsOfMatching } from '#server/modules/datasets/groups.service.ts';

type Procedure<Args extends readonly unknown[], Result> = (
  db: Transaction,
  ...args: Args
) => Promise<Result>;

interface Named {
  /** @param args those of the procedure; who sent them was checked by the compiler */
  run(db: Transaction, args: readonly unknown[]): Promise<unknown>;
}

/** For the thread that is told to run one, by their names. */
export const procedures = new Map<string, Named>();

function inThread<Args extends readonly unknown[], Result>(
  name: string,
  work: Procedure<Args, Result>,
): Procedure<Args, Result> {
  procedures.set(name, { run: (db, args: Args) => work(db, ...args) });
  return (db, ...args) =>
    db.runInReadWorker ? db.runInReadWorker<Result>(name, args) : work(db, ...args);
}

/**
 * The same for what is the body of an answer: its JSON is written, and compressed, where it is read. Handed over as
 * objects, written and compressed here, a page takes the thread that answers everybody longer than all else it does.
 */
function jsonInThread<Args extends readonly unknown[]>(
  name: string,
  work: Procedure<Args, object>,
): Procedure<[takesGzip: boolean, ...args: Args], string | JsonBytes> {
  procedures.set(name, {
    run: async (db, [takesGzip, ...args]: [boolean, ...Args]) =>
      writeJson(await work(db, ...args), takesGzip),
  });
  return async (db, takesGzip, ...args) =>
    db.runInReadWorker
      ? db.runInReadWorker<JsonBytes>(name, [takesGzip, ...args])
      : JSON.stringify(await work(db, ...args));
}

/**
 * What may read much. In a `read` of a large SQLite database it is done in a thread of its own, on a snapshot
 * that may be newer than that of the `read`; everywhere else on the snapshot or transaction that is given.
 * What goes in and comes out are plain data.
 */
export const readWorkers = {
  indexPage: jsonInThread('indexPage', indexPage),
  documentsPage: jsonInThread('documentsPage', documentsPage),
  revisionIds: jsonInThread('revisionIds', revisionIds),
  datasetsPage: jsonInThread('datasetsPage', datasetsPage),
  datasetIds: jsonInThread('datasetIds', datasetIds),
  listCount: inThread('listCount', listCount),
  listOptions: inThread('listOptions', listOptions),
  readIds: inThread('readIds', readIds),
  countRecords: inThread('countRecords', countRecords),
  positionInList: inThread('positionInList', positionInList),
  factsOfMatching: inThread('factsOfMatching', factsOfMatching),
  factsOfSelected: inThread('factsOfSelected', factsOfSelected),
  answerHistory: inThread('answerHistory', answerHistory),
  deletedDatasets: inThread('deletedDatasets', deletedDatasets),
  suggestValues: inThread('suggestValues', suggestValues),
  findRevisions: inThread('findRevisions', findRevisions),
  findGone: inThread('findGone', findGone),
  listQueues: inThread('listQueues', listQueues),
  getQueue: inThread('getQueue', getQueue),
  groupsOfMatching: inThread('groupsOfMatching', groupsOfMatching),
};
