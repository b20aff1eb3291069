import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useStore } from '#web/api/use-store.ts';
import { useLayoutEffect, useMemo, useState } from 'react';
import type { CallError } from '#web/api/failure.ts';
import { type ListFilter, resolveWhere } from '#web/api/list-view.ts';
import {
  countQuery,
  removeOldReadings,
  type DatasetsPage,
  PAGE_SIZE,
  pageKey,
  pageQuery,
  readBlock,
  readPages,
  type ListReading,
} from '../datasets.queries.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import { type Edits, emptyRowKey, type RowKey, type ServerRecord } from '../edit-store/edits.ts';

/** Rows by index, from 0: those of the server, then rows created here, then the empty row. */
export interface TableRow {
  readonly key: RowKey;
  readonly kind: 'record' | 'new' | 'empty';
  readonly stored: ServerRecord | null;
  /** the record's values when the list was sorted; null if it is outside that order */
  readonly orderedBy: ServerRecord | null;
}

export interface TableRows {
  /** the number of rows, including new ones and the empty one; null until the list is loaded */
  readonly count: number | null;
  /** the number of matches on the server, including those created here */
  readonly total: number | null;
  /** how many of them were created here since the list was loaded */
  readonly created: number;
  /** how many of them are in the loaded list: those created here follow */
  readonly listed: number | null;
  /** undefined until the row is loaded, null if the server no longer has one there */
  readonly at: (index: number) => TableRow | undefined | null;
  /** the position of a row, among the loaded rows */
  readonly indexOf: (key: RowKey) => number | null;
  /**
   * The rows of a range (inclusive), loading missing ones; null if the server has none.
   * @throws {CallError}
   */
  readonly readBetween: (from: number, to: number) => Promise<readonly (TableRow | null)[]>;
  readonly edits: Edits;
  readonly error: CallError | null;
  /** whether `count` and `total` belong to this reading, not to the previous one */
  readonly counted: boolean;
  /** whether rows of the previous reading are shown until the new ones are loaded */
  readonly outdated: boolean;
  /** changes with each reading */
  readonly reading: ListReading;
  readonly refresh: () => void;
}

interface RowsOptions {
  readonly guid: string;
  readonly view: ListFilter;
  readonly editStore: EditStore;
  readonly canWrite: boolean;
  /** the visible rows, and others that must be loaded */
  readonly requiredRows: readonly number[];
}

/** The rows of a table as a sparse array of pages, with unsaved edits. */
export function useRows({ guid, view, editStore, canWrite, requiredRows }: RowsOptions): TableRows {
  const client = useQueryClient();
  const edits = useStore(editStore);
  const { reading, previous, refresh } = useReading(view);
  const source = { guid, reading, editStore };

  const numbers = [
    ...new Set(requiredRows.map((index) => Math.max(0, Math.floor(index / PAGE_SIZE)))),
  ];
  const results = useQueries({
    queries: numbers.map((number) => {
      const before = previous && client.getQueryData<DatasetsPage>(pageKey(guid, previous, number));
      return {
        ...pageQuery(source, number),
        ...(before ? { placeholderData: before } : {}),
      };
    }),
  });
  const pages = new Map(numbers.map((number, i) => [number, results[i]]));
  const fresh = results.find(({ data, isPlaceholderData }) => data && !isPlaceholderData)?.data;

  const { counted, listed } = useListedCount(guid, reading, fresh);

  const requestedAt = counted?.page.requestedAt;
  useLayoutEffect(() => {
    if (requestedAt !== undefined) editStore.forgetCreatedBefore(requestedAt);
    if (counted) removeOldReadings(client, guid, counted.of.number);
  }, [requestedAt, counted, client, guid, editStore]);

  // A paste may have left tens of thousands of them.
  const tail = useMemo(() => rowsAfter(edits, canWrite), [edits, canWrite]);
  const created = useMemo(() => tail.filter(({ kind }) => kind === 'record').length, [tail]);

  const cached = (number: number) =>
    client.getQueryData<DatasetsPage>(pageKey(guid, reading, number));
  const rowIn = (index: number, pageOf: (number: number) => DatasetsPage | undefined) => {
    if (listed === null || index < 0) return undefined;
    if (index >= listed) return tail[index - listed] ?? null;
    const page = pageOf(Math.floor(index / PAGE_SIZE));
    if (!page) return undefined;
    const stored = page.rows[index % PAGE_SIZE];
    const { orderedBy = null } = stored ?? {};
    return stored ? { key: stored.dataset.jrid, kind: 'record' as const, stored, orderedBy } : null;
  };
  const at = (index: number): TableRow | undefined | null =>
    rowIn(index, (number) => pages.get(number)?.data ?? cached(number));

  const indexOf = (key: RowKey): number | null => {
    const inTail = tail.findIndex((row) => row.key === key);
    if (inTail >= 0 && listed !== null) return listed + inTail;
    for (const [queryKey, page] of readPages(client, guid, reading)) {
      const at = page.rows.findIndex(({ dataset }) => dataset.jrid === key);
      if (at >= 0) return queryKey * PAGE_SIZE + at;
    }
    return null;
  };

  const readBetween = async (from: number, to: number) => {
    const end = Math.min(to, (listed ?? 0) - 1);
    const block = from <= end ? await readBlock(client, source, from, end) : null;
    // Rows saved during other requests are in the cache, not in the previous render.
    const read = new Map<number, DatasetsPage | undefined>();
    const newest = (number: number) => {
      if (!read.has(number)) read.set(number, cached(number) ?? block?.get(number));
      return read.get(number);
    };
    return Array.from({ length: to - from + 1 }, (_, i) => rowIn(from + i, newest) ?? null);
  };

  return {
    count: listed === null ? null : listed + tail.length,
    total: listed === null ? null : listed + created,
    created,
    listed,
    at,
    indexOf,
    readBetween,
    edits,
    error: results.find(({ error }) => error)?.error ?? null,
    counted: listed !== null && counted?.of === reading,
    outdated: results.some(({ isPlaceholderData }) => isPlaceholderData),
    reading,
    refresh,
  };
}

/** The number of rows in the list, by the first answer of its reading: later ones may count rows created since. */
function useListedCount(guid: string, reading: ListReading, fresh: DatasetsPage | undefined) {
  const [counted, setCounted] = useState<{ of: ListReading; page: DatasetsPage } | null>(null);
  if (fresh && counted?.of !== reading) setCounted({ of: reading, page: fresh });
  const uncounted = counted?.of === reading && counted.page.total === null;
  const count = useQuery({ ...countQuery(guid, reading), enabled: uncounted });
  const listed = counted ? (counted.page.total ?? count.data ?? counted.page.atLeast) : null;
  return { counted, listed };
}

/** Rows after those of the list: created here, not created yet, and the empty one. */
function rowsAfter(edits: Edits, canWrite: boolean): readonly TableRow[] {
  const rows: TableRow[] = edits.newRows.map((row) => ({
    key: row.stored?.dataset.jrid ?? row.key,
    kind: row.stored ? 'record' : 'new',
    stored: row.stored,
    orderedBy: null,
  }));
  if (canWrite) {
    rows.push({ key: emptyRowKey(edits), kind: 'empty', stored: null, orderedBy: null });
  }
  return rows;
}

let readings = 0;

/** Numbers the readings: each change of the view is a new one, and so is a reload. */
function useReading(listed: ListFilter) {
  // All rows of one reading use the same period, even past midnight.
  const view = { ...listed, where: resolveWhere(listed.where ?? []) };
  const written = JSON.stringify([view.where, view.q ?? '', view.sort ?? []]);
  const [state, setState] = useState(() => ({ ...next(view), written }));
  let current = state;
  if (state.written !== written) {
    current = { ...next(view, state.reading), written };
    setState(current);
  }
  return {
    reading: current.reading,
    previous: current.previous,
    refresh: () =>
      setState((now) => ({ ...next(now.reading.view, now.reading), written: now.written })),
  };
}

function next(view: ListFilter, previous: ListReading | null = null) {
  const { where = [], q = '', sort = [] } = view;
  return { reading: { view: { where, q, sort }, number: ++readings }, previous };
}
