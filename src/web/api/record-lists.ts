import { answers, taskAnswers } from './load-answer-schemas.ts';
import { apiPaths, type CollectionRef } from './api-paths.ts';
import { type ListFilter, type ListParameters, listQueryString } from './list-view.ts';
import { readData } from './request.ts';

/** The number of records that match a filter. @throws {CallError} */
export function readCount(
  { kind, id }: CollectionRef,
  { where = [], q = '' }: ListFilter,
  signal?: AbortSignal,
): Promise<number> {
  const path = kind === 'archive' ? apiPaths.indexCount(id) : apiPaths.datasetCount(id);
  return readData(path + listQueryString({ where, q }), {
    signal,
    parse: async (raw) => (await answers()).countAnswer.parse(raw).count,
  });
}

/** The ids of all revisions that match a filter, in its order. @throws {CallError} 422 beyond 100,000 */
export function readRevisionIds(
  archive: string,
  filter: ListFilter,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return readData(apiPaths.indexIds(archive) + listQueryString(filter), {
    signal,
    parse: async (raw) => (await answers()).revisionIdsAnswer.parse(raw).revisionIds,
  });
}

/** A call that reads a page of a list. @param id the table name of the archive, or the GUID of the table */
function pageReader<Page>(pathOf: (id: string) => string, parse: (raw: unknown) => Promise<Page>) {
  return (id: string, filter: ListFilter, page: ListParameters, signal?: AbortSignal) =>
    readData(pathOf(id) + listQueryString(filter, page), { signal, parse });
}

/** A page of revisions with their index fields. @throws {CallError} */
export const readIndex = pageReader(apiPaths.index, async (raw) =>
  (await answers()).indexAnswer.parse(raw),
);

/** A page of revisions with their keywords, files, locks and versions. @throws {CallError} */
export const readDocuments = pageReader(apiPaths.documents, async (raw) =>
  (await answers()).documentsAnswer.parse(raw),
);

/** A page of datasets with their versions. @throws {CallError} */
export const readDatasets = pageReader(apiPaths.datasets, async (raw) =>
  (await answers()).datasetListAnswer.parse(raw),
);

/**
 * The values of fields among the records that match a filter, each with its count.
 * @param parameters `by`, `sum`, `sort`, `like`, `limit`, `offset`
 * @throws {CallError}
 */
export function readValueGroups(
  collection: CollectionRef,
  { where = [], q = '' }: ListFilter,
  parameters: ListParameters,
  signal: AbortSignal,
) {
  return readData(apiPaths.groups(collection) + listQueryString({ where, q }, parameters), {
    signal,
    parse: async (raw) => (await taskAnswers()).valueGroupsAnswer.parse(raw),
  });
}
