import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useStore } from '#web/api/use-store.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { CallError, isTemporary } from '#web/api/failure.ts';
import { throttle } from '#web/api/live/throttle.ts';
import { onChanges } from '#web/api/live/live.ts';
import { nameOfIn } from '#web/api/display-names.queries.ts';
import { useOnChange } from '#web/ui/use-on-change.ts';
import { datasetCalls } from '../edit-store/datasets.calls.ts';
import { removeHiddenPages, type ListReading, loadedRecords } from '../datasets.queries.ts';
import { readCount } from '#web/api/record-lists.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import { cachedRecord } from '../record.queries.ts';
import type { TableRows } from '../rows/use-rows.ts';
import { createRemoteChanges, type RemoteChanges } from '../rows/remote-changes.ts';
import * as texts from '#messages/tables.ts';

interface LiveRowsOptions {
  readonly guid: string;
  readonly editStore: EditStore;
  readonly rows: TableRows;
  /** the record whose form is open */
  readonly opened: string | null;
}

/** In milliseconds. */
const ROWS = { wait: 0, rest: 1_000 };
const COUNT = { wait: 500, rest: 3_000 };
/** Records with an edit in progress are checked again after this time. */
const RECHECK_DELAY = 300;

/** Without a server the reads are repeated after this time. */
const RETRY_DELAY = 3_000;

/** @returns null if the read can be retried */
function nullIfTransient(error: unknown): null {
  if (error instanceof CallError && isTemporary(error.failure)) return null;
  throw error;
}

/** Updates the rows of a table with the changes of others. No row moves, and text that is being typed is not touched. */
export function useLiveRows(options: LiveRowsOptions) {
  const { guid, editStore, rows, opened } = options;
  const client = useQueryClient();
  const [others] = useState(createRemoteChanges);
  const changes = useStore(others);
  const { number } = rows.reading;
  const [outdatedIn, setOutdatedIn] = useState<number | null>(null);

  /** @returns whether this cannot be known, because the user's own edits are changing the list */
  const compareTo = useEffectEvent((count: number, of: ListReading): boolean => {
    const creating = editStore.get().newRows.some(({ is, stored }) => is === 'sending' && !stored);
    if (rows.reading !== of || !rows.counted || creating) return true;
    if (count !== rows.total) setOutdatedIn(of.number);
    return false;
  });
  const countNow = useEffectEvent(async () => {
    const { reading } = rows;
    return { count: await readCount({ kind: 'table', id: guid }, reading.view), reading };
  });
  const markOutdated = useEffectEvent(() => setOutdatedIn(number));
  const idsOutsideList = useEffectEvent(() => [
    ...(opened === null ? [] : [opened]),
    ...editStore.get().newRows.flatMap(({ stored }) => (stored ? [stored.dataset.jrid] : [])),
  ]);
  useOnChange(number, others.forgetDeleted);

  useEffect(() => {
    /** to reload, with their authors; null: any records may have been changed */
    let changed: Map<string, string> | null = new Map();
    const add = (more: ReadonlyMap<string, string> | null) => {
      changed = changed && more && new Map([...changed, ...more]);
    };
    const compare = async () => {
      const { count, reading } = await countNow();
      if (compareTo(count, reading)) counting.request();
    };
    const counting = throttle(() => compare().catch(() => undefined), COUNT);
    const reading = throttle(async () => {
      const of = { client, guid, editStore, others, changed, outsideList: idsOutsideList() };
      changed = new Map();
      const found = await reloadChanged(of).catch(nullIfTransient);
      if (!found) {
        add(of.changed);
        setTimeout(reading.request, RETRY_DELAY);
        return;
      }
      const { recheck, hasDeletions, hasUnknown } = found;
      if (hasDeletions) markOutdated();
      if (hasUnknown) counting.request();
      if (recheck.size === 0) return;
      add(recheck);
      setTimeout(reading.request, RECHECK_DELAY);
    }, ROWS);
    const leave = onChanges((changes) => {
      const own = changes?.filter(
        ({ collection: { kind, id } }) => kind === 'table' && id === guid,
      );
      add(own ? new Map(own.map(({ id, user }) => [id, user])) : null);
      if (changed?.size !== 0) reading.request();
    });
    return () => {
      leave();
      reading.stop();
      counting.stop();
    };
  }, [client, guid, editStore, others]);

  return {
    /** the recent changes by others, by jrid */
    changes,
    /** whether records were added or deleted, so that a reload will change the list */
    outdated: outdatedIn === number,
  };
}

/** After a gap in the events, the authors of at most this many records are looked up. */
const MAX_AUTHOR_LOOKUPS = 20;

/** The last author of a record; null: unknown. */
async function lastAuthorOf(guid: string, jrid: string): Promise<string | null> {
  const [entry] = await datasetCalls(guid)
    .history(jrid)
    .catch(() => []);
  return entry?.user ?? null;
}

interface ReloadOptions {
  readonly client: QueryClient;
  readonly guid: string;
  readonly editStore: EditStore;
  readonly others: RemoteChanges;
  /** which records were changed by whom; null: any records may have been changed */
  readonly changed: ReadonlyMap<string, string> | null;
  /** records that are shown outside the list */
  readonly outsideList: readonly string[];
}

/**
 * Reloads the changed records on the screen. `recheck`: those to reload later; `hasDeletions`: some were deleted;
 * `hasUnknown`: records that are not loaded here were changed.
 */
async function reloadChanged(options: ReloadOptions) {
  const { client, guid, editStore, others, changed, outsideList } = options;
  const shown = loadedRecords(client, guid);
  const visible = new Set(outsideList);
  for (const [jrid, { isVisible }] of shown) if (isVisible) visible.add(jrid);
  const authors = changed ?? new Map([...visible].map((jrid) => [jrid, '']));
  const jrids = [...authors.keys()].filter((jrid) => visible.has(jrid));
  const hidden =
    changed === null || [...authors.keys()].some((jrid) => shown.get(jrid)?.isVisible === false);
  if (hidden) removeHiddenPages(client, guid);

  const requestedAt = performance.now();
  const before = new Map(
    jrids.map((jrid) => [
      jrid,
      shown.get(jrid)?.dataset ?? cachedRecord(client, guid, jrid)?.dataset,
    ]),
  );
  const found = await datasetCalls(guid).several(jrids);
  const later = new Set(editStore.applyRemote(jrids, found, requestedAt));
  let hasDeletions = false;
  let lookups = 0;
  for (const jrid of jrids) {
    if (later.has(jrid)) continue;
    const was = before.get(jrid);
    const now = found.get(jrid)?.dataset;
    hasDeletions ||= !now;
    if (now && (!was || Object.keys(now).every((name) => now[name] === was[name]))) continue;
    // The event names the user; after a gap in the events only the history does.
    const named = authors.get(jrid);
    const user = named || (lookups++ < MAX_AUTHOR_LOOKUPS && (await lastAuthorOf(guid, jrid)));
    const by = user ? nameOfIn(client)(user) : texts.somebody;
    if (!now) others.deleted(jrid, by);
    else if (was) others.changed(jrid, by, was, now);
  }
  return {
    recheck: new Map([...later].map((jrid) => [jrid, authors.get(jrid) ?? ''])),
    hasDeletions,
    hasUnknown: changed === null || [...authors.keys()].some((jrid) => !shown.has(jrid)),
  };
}
