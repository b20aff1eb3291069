import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Dataset } from '#shared/contract/answers.ts';
import { taskAnswers } from '#web/api/load-answer-schemas.ts';
import { type ListFilter, listQueryString } from '#web/api/list-view.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { readCount, readDatasets } from '#web/api/record-lists.ts';
import { readData } from '#web/api/request.ts';
import { tableKeys } from '#web/api/tables.queries.ts';
import { pause } from '#web/api/create-store.ts';
import type { EditStore } from './edit-store/edit-store.ts';
import type { ServerRecord } from './edit-store/edits.ts';

/** Rows per request; the list is a sparse array of such pages. */
export const PAGE_SIZE = 100;

/** One reading of a list: reloading the same view is a new one, because its rows may have moved. */
export interface ListReading {
  readonly view: ListFilter;
  readonly number: number;
}

/** A record in a list, and its values when the list was sorted. */
interface ListedRecord extends ServerRecord {
  readonly orderedBy: ServerRecord;
}

export interface DatasetsPage {
  readonly rows: readonly ListedRecord[];
  /** null if counting took too long; then there are `atLeast` */
  readonly total: number | null;
  readonly atLeast: number;
  /** when it was requested, by `performance.now()` */
  readonly requestedAt: number;
}

const pagesKey = (guid: string) => [...tableKeys.one(guid), 'pages'] as const;
export const pageKey = (guid: string, reading: ListReading, page: number) =>
  [...pagesKey(guid), reading.number, reading.view, page] as const;

/** Where rows are read. */
interface RowSource {
  readonly guid: string;
  readonly reading: ListReading;
  /** has newer answers about some of them */
  readonly editStore: EditStore;
}

/** Delay in milliseconds before a page is requested, because fast scrolling leaves it again. */
const SCROLL_DELAY = 40;
/** A jump shows rows of at most two pages; more requests within this time are scrolling. */
const JUMP = { pages: 2, within: 100 };
let recentRequests: readonly number[] = [];

/** Waits during fast scrolling; a jump is served at once. */
async function delayWhileScrolling(signal: AbortSignal): Promise<void> {
  const now = performance.now();
  recentRequests = [...recentRequests.filter((at) => now - at < JUMP.within), now];
  if (recentRequests.length > JUMP.pages) await pause(SCROLL_DELAY, signal);
}

/**
 * One page of the list. It is never refetched automatically: an edited row stays at its position until the user sorts
 * or reloads.
 */
export const pageQuery = (source: RowSource, page: number) =>
  queryOptions({
    queryKey: pageKey(source.guid, source.reading, page),
    queryFn: async ({ client, signal }): Promise<DatasetsPage> => {
      await delayWhileScrolling(signal);
      const range = { limit: PAGE_SIZE, offset: page * PAGE_SIZE };
      const found = await readPage(source, range, signal);
      trimPages(client, source.guid);
      return found;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The pages of an answer with several. */
function pagesIn({ rows, ...counted }: DatasetsPage, count: number): DatasetsPage[] {
  return Array.from({ length: count }, (_, i) => ({
    ...counted,
    rows: rows.slice(i * PAGE_SIZE, (i + 1) * PAGE_SIZE),
  }));
}

async function readPage(
  { guid, reading, editStore }: RowSource,
  range: { readonly limit: number; readonly offset: number },
  signal?: AbortSignal,
): Promise<DatasetsPage> {
  const requestedAt = performance.now();
  const data = await readDatasets(guid, reading.view, { ...range, findings: true }, signal);
  const { pagination, etags, findings = {} } = data.meta;
  return {
    rows: data.datasets.map((dataset) => {
      const { jrid } = dataset;
      const listed = { dataset, etag: etags[jrid] ?? null, findings: findings[jrid] };
      return { ...(editStore.newerThan(jrid, requestedAt) ?? listed), orderedBy: listed };
    }),
    total: pagination.total ?? null,
    atLeast: pagination.atLeast ?? 0,
    requestedAt,
  };
}

/** Updates one record in every page that contains it. */
export function patchPages(client: QueryClient, guid: string, stored: ServerRecord): void {
  const { jrid } = stored.dataset;
  client.setQueriesData<DatasetsPage>({ queryKey: pagesKey(guid) }, (page) => {
    const at = page?.rows.findIndex(({ dataset }) => dataset.jrid === jrid) ?? -1;
    const before = page?.rows[at];
    if (!page || !before) return undefined;
    const now = { ...stored, orderedBy: before.orderedBy };
    return { ...page, rows: page.rows.with(at, now) };
  });
}

/** A record as shown in a page, and whether that page is visible. */
interface LoadedRecord {
  readonly dataset: Dataset;
  readonly isVisible: boolean;
}

/** The records in the loaded pages, by jrid. */
export function loadedRecords(
  client: QueryClient,
  guid: string,
): ReadonlyMap<string, LoadedRecord> {
  const shown = new Map<string, LoadedRecord>();
  for (const query of client.getQueryCache().findAll({ queryKey: pagesKey(guid) })) {
    const isVisible = query.isActive();
    for (const { dataset } of client.getQueryData<DatasetsPage>(query.queryKey)?.rows ?? []) {
      if (isVisible || !shown.has(dataset.jrid)) shown.set(dataset.jrid, { dataset, isVisible });
    }
  }
  return shown;
}

/** Removes the pages that are not visible: they are loaded again when needed. */
export function removeHiddenPages(client: QueryClient, guid: string): void {
  client.removeQueries({ queryKey: pagesKey(guid), type: 'inactive' });
}

/** The loaded pages of a reading, by number. */
export function readPages(
  client: QueryClient,
  guid: string,
  reading: ListReading,
): readonly (readonly [number, DatasetsPage])[] {
  const queryKey = [...pagesKey(guid), reading.number];
  return client
    .getQueriesData<DatasetsPage>({ queryKey })
    .flatMap(([key, page]) => (page ? [[Number(key.at(-1)), page] as const] : []));
}

/** Rows per request if many are needed at once; a whole number of pages. */
const BLOCK_SIZE = 1_000;

/**
 * Loads the missing pages of rows `from` to `to` (inclusive), many at a time, into the cache.
 * @returns all of them by number: the cache may have dropped the first when the last one arrives
 * @throws {CallError}
 */
export async function readBlock(
  client: QueryClient,
  source: RowSource,
  from: number,
  to: number,
): Promise<ReadonlyMap<number, DatasetsPage>> {
  const { guid, reading } = source;
  const pages = new Map<number, DatasetsPage>();
  const useCached = (number: number): boolean => {
    const page = client.getQueryData<DatasetsPage>(pageKey(guid, reading, number));
    if (page) pages.set(number, page);
    return page !== undefined;
  };
  const last = Math.floor(to / PAGE_SIZE);
  for (let page = Math.floor(from / PAGE_SIZE); page <= last; page++) {
    if (useCached(page)) continue;
    let end = page + 1;
    while (end <= last && end - page < BLOCK_SIZE / PAGE_SIZE && !useCached(end)) end++;
    const range = { limit: (end - page) * PAGE_SIZE, offset: page * PAGE_SIZE };
    // One request at a time leaves room for others.
    const read = pagesIn(await readPage(source, range), end - page);
    for (const [i, found] of read.entries()) {
      client.setQueryData<DatasetsPage>(pageKey(guid, reading, page + i), found);
      pages.set(page + i, found);
    }
    page = end - 1;
  }
  return pages;
}

/** How many invisible pages stay in the cache: some ten thousand rows. */
const MAX_HIDDEN_PAGES = 150;

/** Removes the least recently shown pages, so that memory does not grow during scrolling. */
function trimPages(client: QueryClient, guid: string): void {
  const cache = client.getQueryCache();
  const unseen = cache
    .findAll({ queryKey: pagesKey(guid), type: 'inactive' })
    .sort((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt);
  for (const query of unseen.slice(0, Math.max(0, unseen.length - MAX_HIDDEN_PAGES)))
    cache.remove(query);
}

/** Removes all readings except the visible one and, until that is loaded, the previous one. */
export function removeOldReadings(client: QueryClient, guid: string, before: number): void {
  client.removeQueries({
    queryKey: pagesKey(guid),
    predicate: ({ queryKey }) => {
      const number = queryKey[pagesKey(guid).length];
      return typeof number === 'number' && number < before;
    },
  });
}

/** The number of matches, if the list itself could not determine it in time. */
export const countQuery = (guid: string, reading: ListReading) =>
  queryOptions({
    queryKey: [...tableKeys.one(guid), 'count', reading.number, reading.view],
    queryFn: ({ signal }) => readCount({ kind: 'table', id: guid }, reading.view, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The position of a record in a list, from 0; null: not in it. */
export async function readPosition(guid: string, view: ListFilter, jrid: string) {
  const { where = [], q = '', sort = [] } = view;
  const query = listQueryString({ where, q, sort }, { jrid });
  return readData(apiPaths.datasetPosition(guid) + query, {
    parse: async (raw) => (await taskAnswers()).positionAnswer.parse(raw).position,
  });
}
