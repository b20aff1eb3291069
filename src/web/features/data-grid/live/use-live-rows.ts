import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { CallError, isPassing } from '#web/api/failure.ts';
import { throttle } from '#web/api/live/throttle.ts';
import { onNews } from '#web/api/live/live.ts';
import { nameOfIn } from '#web/api/display-names.queries.ts';
import { datasetCalls } from '../edit-store/datasets.calls.ts';
import {
  forgetHiddenPages,
  readCount,
  type Reading,
  shownRecords,
} from '../rows/datasets.queries.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import { recordRead } from '../record/record.queries.ts';
import type { Rows } from '../rows/use-rows.ts';
import { createOthers, type Others, type OthersAct } from './others.ts';
import * as texts from '#messages/tables.ts';

interface LiveRowsOptions {
  readonly guid: string;
  readonly editStore: EditStore;
  readonly rows: Rows;
  /** the record whose form is open */
  readonly opened: string | null;
}

export interface LiveRows {
  /** the recent changes by others, by jrid */
  readonly acts: ReadonlyMap<string, OthersAct>;
  /** whether records were added or deleted, so that a reload will change the list */
  readonly outdated: boolean;
}

/** In milliseconds. */
const ROWS = { wait: 0, rest: 1_000 };
const COUNT = { wait: 500, rest: 3_000 };
/** Records with an edit in progress are checked again after this time. */
const AGAIN_AFTER = 300;

/** Without a server the reads are repeated after this time. */
const AFTER_FAILURE = 3_000;

/** @returns null if the read can be retried */
function later(error: unknown): null {
  if (error instanceof CallError && isPassing(error.failure)) return null;
  throw error;
}

/** Updates the rows of a table with the changes of others. No row moves, and text that is being typed is not touched. */
export function useLiveRows(options: LiveRowsOptions): LiveRows {
  const { guid, editStore, rows, opened } = options;
  const client = useQueryClient();
  const [others] = useState(createOthers);
  const acts = useSyncExternalStore(others.subscribe, others.get);
  const { number } = rows.reading;
  const [outdatedIn, setOutdatedIn] = useState<number | null>(null);

  /** @returns whether this cannot be known, because the user's own edits are changing the list */
  const compareTo = useEffectEvent((count: number, of: Reading): boolean => {
    const creating = editStore.get().newRows.some(({ is, stored }) => is === 'sending' && !stored);
    if (rows.reading !== of || !rows.counted || creating) return true;
    if (count !== rows.total) setOutdatedIn(of.number);
    return false;
  });
  const countNow = useEffectEvent(async () => {
    const { reading } = rows;
    return { count: await readCount(guid, reading.view), reading };
  });
  const outdate = useEffectEvent(() => setOutdatedIn(number));
  const alsoShown = useEffectEvent(() => [
    ...(opened === null ? [] : [opened]),
    ...editStore.get().newRows.flatMap(({ stored }) => (stored ? [stored.dataset.jrid] : [])),
  ]);
  const read = useRef(number);
  useEffect(() => {
    if (read.current === number) return;
    read.current = number;
    others.forgetDeleted();
  }, [others, number]);

  useEffect(() => {
    // The author by jrid; unknown changes belong to nobody.
    const heard = new Map<string, string>();
    let anything = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const compare = async () => {
      const { count, reading } = await countNow();
      if (compareTo(count, reading)) counting.ask();
    };
    const counting = throttle(() => compare().catch(() => undefined), COUNT);
    const reading = throttle(async () => {
      const news = anything ? null : new Map(heard);
      heard.clear();
      anything = false;
      const also = alsoShown();
      const found = await readHeard({ client, guid, editStore, others, news, also }).catch(later);
      if (!found) {
        for (const [jrid, by] of news ?? []) heard.set(jrid, by);
        anything ||= news === null;
        timer = setTimeout(reading.ask, AFTER_FAILURE);
        return;
      }
      const { again, gone, strange } = found;
      if (gone) outdate();
      if (strange) counting.ask();
      if (again.size === 0) return;
      for (const [jrid, by] of again) heard.set(jrid, by);
      timer = setTimeout(reading.ask, AGAIN_AFTER);
    }, ROWS);
    const leave = onNews((news) => {
      for (const { place, id, user } of news ?? []) {
        if (place.kind === 'table' && place.id === guid) heard.set(id, user);
      }
      anything ||= news === null;
      if (anything || heard.size > 0) reading.ask();
    });
    return () => {
      leave();
      clearTimeout(timer);
      reading.stop();
      counting.stop();
    };
  }, [client, guid, editStore, others]);

  return { acts, outdated: outdatedIn === number };
}

/** After a gap in the events, the authors of at most this many records are looked up. */
const MAX_ASKED = 20;

/** The last author of a record; null: unknown. */
async function lastToWrite(guid: string, jrid: string): Promise<string | null> {
  const [entry] = await datasetCalls(guid)
    .history(jrid)
    .catch(() => []);
  return entry?.user ?? null;
}

interface HeardOptions {
  readonly client: QueryClient;
  readonly guid: string;
  readonly editStore: EditStore;
  readonly others: Others;
  /** which records were changed by whom; null: any records may have been changed */
  readonly news: ReadonlyMap<string, string> | null;
  /** records that are shown outside the list */
  readonly also: readonly string[];
}

/**
 * Reloads the changed records on the screen. `again`: those to reload later; `gone`: some were deleted; `strange`:
 * records that are not loaded here were changed.
 */
async function readHeard({ client, guid, editStore, others, news, also }: HeardOptions) {
  const shown = shownRecords(client, guid);
  const onScreen = new Set(also);
  for (const [jrid, { onScreen: is }] of shown) if (is) onScreen.add(jrid);
  const heard = news ?? new Map([...onScreen].map((jrid) => [jrid, '']));
  const jrids = [...heard.keys()].filter((jrid) => onScreen.has(jrid));
  const hidden =
    news === null || [...heard.keys()].some((jrid) => shown.get(jrid)?.onScreen === false);
  if (hidden) forgetHiddenPages(client, guid);

  const askedAt = performance.now();
  const before = new Map(
    jrids.map((jrid) => [
      jrid,
      shown.get(jrid)?.dataset ?? recordRead(client, guid, jrid)?.dataset,
    ]),
  );
  const found = await datasetCalls(guid).several(jrids);
  const later = new Set(editStore.applyRemote(jrids, found, askedAt));
  let gone = false;
  let asked = 0;
  for (const jrid of jrids) {
    if (later.has(jrid)) continue;
    const was = before.get(jrid);
    const now = found.get(jrid)?.dataset;
    gone ||= !now;
    if (now && (!was || Object.keys(now).every((name) => now[name] === was[name]))) continue;
    // The event names the user; after a gap in the events only the history does.
    const named = heard.get(jrid);
    const user = named || (asked++ < MAX_ASKED && (await lastToWrite(guid, jrid)));
    const by = user ? nameOfIn(client)(user) : texts.somebody;
    if (!now) others.deleted(jrid, by);
    else if (was) others.changed(jrid, by, was, now);
  }
  return {
    again: new Map([...later].map((jrid) => [jrid, heard.get(jrid) ?? ''])),
    gone,
    strange: news === null || [...heard.keys()].some((jrid) => !shown.has(jrid)),
  };
}
