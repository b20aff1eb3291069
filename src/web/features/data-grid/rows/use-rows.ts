import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { CallError } from '#web/api/failure.ts';
import { resolveWhere } from '#web/api/list-view.ts';
import {
  countQuery,
  forgetReadings,
  type Listed,
  type Page,
  PAGE_SIZE,
  pageKey,
  pageQuery,
  readBlock,
  readPages,
  type Reading,
} from './datasets.queries.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import { type Edits, emptyRowKey, type RowKey, type Stored } from '../edit-store/edits.ts';

/** Rows by index, from 0: those of the server, then rows created here, then the empty row. */
export interface Row {
  readonly key: RowKey;
  readonly kind: 'record' | 'new' | 'empty';
  readonly stored: Stored | null;
  /** what the record held when the list was put in order; null where it is outside that order */
  readonly orderedBy: Stored | null;
}

export interface Rows {
  /** how many rows there are, with new ones and the empty one; null until the list was read */
  readonly count: number | null;
  /** how many the server has that match, with those created here */
  readonly total: number | null;
  /** how many of them were created here since the list was read */
  readonly created: number;
  /** how many of them are in the list that was read: those created here stand behind it */
  readonly listed: number | null;
  /** undefined while the row is not read yet, null where the server has none there any more */
  readonly at: (index: number) => Row | undefined | null;
  /** the place of a row, as far as rows were read */
  readonly indexOf: (key: RowKey) => number | null;
  /**
   * The rows from one to another (inclusive), read where they are not there yet; null where the server has none.
   * @throws {CallError} what a reading throws
   */
  readonly readBetween: (from: number, to: number) => Promise<readonly (Row | null)[]>;
  readonly edits: Edits;
  readonly error: CallError | null;
  /** whether `count` and `total` are of this reading, not of the one before */
  readonly counted: boolean;
  /** whether rows of the reading before stand in until the new ones come */
  readonly outdated: boolean;
  /** changes with each reading */
  readonly reading: Reading;
  readonly refresh: () => void;
}

interface RowsOptions {
  readonly guid: string;
  readonly view: Listed;
  readonly editStore: EditStore;
  readonly canWrite: boolean;
  /** the rows in sight, and others that must be there */
  readonly wanted: readonly number[];
}

/** The rows of a table as a sparse row of pages, with what was typed and not settled. */
export function useRows({ guid, view, editStore, canWrite, wanted }: RowsOptions): Rows {
  const client = useQueryClient();
  const edits = useSyncExternalStore(editStore.subscribe, editStore.get);
  const { reading, previous, refresh } = useReading(view);

  const numbers = [...new Set(wanted.map((index) => Math.max(0, Math.floor(index / PAGE_SIZE))))];
  const results = useQueries({
    queries: numbers.map((number) => {
      const before = previous && client.getQueryData<Page>(pageKey(guid, previous, number));
      return {
        ...pageQuery(guid, reading, number, editStore),
        ...(before ? { placeholderData: before } : {}),
      };
    }),
  });
  const pages = new Map(numbers.map((number, i) => [number, results[i]]));
  const fresh = results.find(({ data, isPlaceholderData }) => data && !isPlaceholderData)?.data;

  // The first answer of a reading says how many rows it has: later ones may count what was created since.
  const [counted, setCounted] = useState<{ of: Reading; page: Page } | null>(null);
  if (fresh && counted?.of !== reading) setCounted({ of: reading, page: fresh });
  const uncounted = counted?.of === reading && counted.page.total === null;
  const count = useQuery({ ...countQuery(guid, reading), enabled: uncounted });
  const listed = counted ? (counted.page.total ?? count.data ?? counted.page.atLeast) : null;

  const askedAt = counted?.page.askedAt;
  useLayoutEffect(() => {
    if (askedAt !== undefined) editStore.forgetCreatedBefore(askedAt);
    if (counted) forgetReadings(client, guid, counted.of.number);
  }, [askedAt, counted, client, guid, editStore]);

  // A paste may have left tens of thousands of them.
  const tail = useMemo(() => rowsAfter(edits, canWrite), [edits, canWrite]);
  const created = useMemo(() => tail.filter(({ kind }) => kind === 'record').length, [tail]);

  const cached = (number: number) => client.getQueryData<Page>(pageKey(guid, reading, number));
  const rowIn = (index: number, pageOf: (number: number) => Page | undefined) => {
    if (listed === null || index < 0) return undefined;
    if (index >= listed) return tail[index - listed] ?? null;
    const page = pageOf(Math.floor(index / PAGE_SIZE));
    if (!page) return undefined;
    const stored = page.rows[index % PAGE_SIZE];
    const { orderedBy = null } = stored ?? {};
    return stored ? { key: stored.dataset.jrid, kind: 'record' as const, stored, orderedBy } : null;
  };
  const at = (index: number): Row | undefined | null =>
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
    const block =
      from <= end ? await readBlock(client, guid, reading, editStore, { from, to: end }) : null;
    // What was saved while the others were read is in the cache, not in what was drawn before.
    const read = new Map<number, Page | undefined>();
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

/** Rows behind those of the list: created here, not created yet, and the empty one. */
function rowsAfter(edits: Edits, canWrite: boolean): readonly Row[] {
  const rows: Row[] = edits.newRows.map((row) => ({
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

/** Numbers the readings: each change of the view is a new one, and so is reading again. */
function useReading(listed: Listed) {
  // The rows of one reading all lie in the same period, also past midnight.
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

function next(view: Listed, previous: Reading | null = null) {
  const { where = [], q = '', sort = [] } = view;
  return { reading: { view: { where, q, sort }, number: ++readings }, previous };
}
