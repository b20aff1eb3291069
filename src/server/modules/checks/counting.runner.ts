import { BackgroundLoop, pause } from '#server/background-loop.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { WarningLog } from '#server/warning-log.ts';
import type { BuiltInCheck } from '#shared/rules/check-words.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import {
  readLastPosition,
  readSequencedEntries,
  type SequencedEntry,
} from '../history/history.service.ts';
import { markCompared, readExtracted, readRevisionsWith } from '../page-texts/file-texts.store.ts';
import { deleteMisses, isOnPages } from '../page-texts/page-misses.ts';
import * as store from './check-states.store.ts';
import type { CheckState } from './check-states.store.ts';
import { CountingLease } from './counting-lease.ts';
import { followRecords, type Followed, type FollowedRecords } from './follow-records.ts';
import { writeDailyCount } from './figures.store.ts';
import {
  deleteAbandoned,
  publishCount,
  recountCheck,
  storeChanges,
  type CountedCheck,
} from './recount-check.ts';

/** The polling interval for changes by other processes, in milliseconds. */
const POLL_INTERVAL = 1_000;
/** Between an entry of the history and its counting, so that one run serves several. */
const WAKE_DELAY = 300;
/** Entries of the history that one write follows. */
const ENTRY_BATCH_SIZE = 500;
/** Extracted texts that are compared with records at once. */
const TEXT_BATCH_SIZE = 20;
/** If it is further behind, all records are checked again instead. */
const MAX_FOLLOWED = 10_000;

const PAGE: BuiltInCheck = '_page';

/** A check that is evaluated for all records. */
interface Recount {
  readonly collection: Collection;
  readonly counted: CountedCheck;
  /** up to which the history was followed when it began: later entries are followed for it once it is over */
  readonly position: number;
  readonly result: ReturnType<typeof recountCheck>;
  readonly over: Promise<true>;
  /** whether a table in which it looks up values has changed since */
  isOutdated: boolean;
}

/** Counts the findings of checks in the background, and follows every change (docs/decisions: checks). */
export interface CheckCounting {
  wake(): void;
  close(): Promise<void>;
}

/** @param onTextsQueued called when files may have been queued for text extraction */
export function countChecks(
  database: Database,
  definitions: Definitions,
  log: WarningLog,
  onTextsQueued: () => void,
): CheckCounting {
  const lease = new CountingLease(database);
  let mayHaveAbandoned = true;
  let recount: Recount | null = null;

  const collections = async (db: Transaction): Promise<Collection[]> => [
    ...(await definitions.archives(db)),
    ...(await definitions.tables(db)),
  ];

  /** Synchronises the states with the defined checks. @returns whether this process has the lease */
  const reconcile = async (): Promise<boolean> => {
    const worker = await database.read(store.readWorker);
    const position = await database.read(readLastPosition);
    if (!worker) await database.write((db) => store.insertWorker(db, position), 'row locks');
    const differs = await database.read(async (db) => {
      const { removed, added } = differences(
        await collections(db),
        await store.readStates(db, null),
      );
      return removed.length + added.length > 0;
    });
    if (!differs) return true;
    if (!(await lease.take())) return false;
    mayHaveAbandoned = true;
    await database.write(async (db) => {
      if (!(await lease.renew(db))) return;
      const { removed, added } = differences(
        await collections(db),
        await store.readStates(db, null),
      );
      await store.deleteStates(
        db,
        removed.map(({ id }) => id),
      );
      for (const { scope, thing_id: id, name } of removed) {
        if (scope === 'archive' && name === PAGE) await deleteMisses(db, { id }, null);
      }
      for (const { collection, name, fingerprint } of added) {
        await store.beginState(db, collection, name, fingerprint);
      }
    }, 'row locks');
    return true;
  };

  /** The checks of an archive or table that have been counted; null: there is none, or no such archive or table. */
  const countedChecks = async (db: Transaction, kind: Collection['kind'], id: number) => {
    const collection = await definitions.findById(db, kind, id);
    if (!collection) return null;
    const states = await store.readStates(db, collection);
    const counted = countedOf(collection, states).filter(
      ({ state }) => state.count !== null && state.id !== recount?.counted.state.id,
    );
    return { collection, counted };
  };

  /** Follows the next entries of the history. @returns whether there may be more */
  const follow = async (signal: AbortSignal): Promise<boolean> => {
    const isBehind = await database.read(async (db) => {
      const worker = await store.readWorker(db);
      return worker !== undefined && worker.position < (await readLastPosition(db));
    });
    if (!isBehind || !(await lease.take())) return false;
    const next = await database.read(async (db) => {
      const position = (await store.readWorker(db))?.position ?? 0;
      const last = await readLastPosition(db);
      if (last - position > MAX_FOLLOWED)
        return { position, upTo: last, isLast: true, records: null };
      const { entries, upTo } = await readSequencedEntries(db, position, ENTRY_BATCH_SIZE);
      const records: FollowedRecords[] = [];
      for (const kind of ['archive', 'table'] as const) {
        const ofKind = entries.filter(({ scope }) => scope === kind);
        for (const [id, some] of Map.groupBy(ofKind, ({ collectionId }) => collectionId)) {
          const known = await countedChecks(db, kind, id);
          if (known) records.push({ ...known, ...writtenIn(some) });
        }
      }
      return { position, upTo, isLast: upTo >= last, records };
    });
    const found = await followRecords({ database, lease, signal }, next.records ?? []);
    const isOwn = await database.write(async (db) => {
      // Another process has already followed these entries.
      if ((await lease.renew(db))?.position !== next.position) return false;
      if (!next.records) {
        await db.k.updateTable('check_states').set({ count: null, due_at: 0 }).execute();
      }
      await storeFollowed(db, found);
      for (const { collection } of found) {
        if (collection.kind === 'table') await renewLookups(db, collection);
      }
      await store.storePosition(db, next.upTo);
      return true;
    }, 'row locks');
    if (found.some(({ counted }) => counted.some(({ check }) => isOnPages(check)))) onTextsQueued();
    // What this process commits meanwhile wakes the loop; what others commit waits for the next poll.
    return isOwn && !next.isLast;
  };

  /** Compares records with the texts that were extracted of their files. @returns whether there were any */
  const compareTexts = async (signal: AbortSignal): Promise<boolean> => {
    const isWaiting = (await database.read((db) => readExtracted(db, 1))).length > 0;
    if (!isWaiting || !(await lease.take())) return false;
    const { texts, records } = await database.read(async (db) => {
      const extracted = await readExtracted(db, TEXT_BATCH_SIZE);
      const locations = extracted.map(({ location }) => location);
      const compared: FollowedRecords[] = [];
      for (const [id, ids] of await readRevisionsWith(db, locations)) {
        const known = await countedChecks(db, 'archive', id);
        const counted = known?.counted.filter(({ check }) => isOnPages(check)) ?? [];
        if (known && counted.length > 0) {
          compared.push({ ...known, counted, ids: [...new Set(ids)], authors: null });
        }
      }
      return { texts: extracted, records: compared };
    });
    const found = await followRecords({ database, lease, signal }, records);
    return database.write(async (db) => {
      if (!(await lease.renew(db))) return false;
      await storeFollowed(db, found);
      await markCompared(
        db,
        texts.map(({ sha256 }) => sha256),
      );
      return true;
    }, 'row locks');
  };

  /** Marks the checks that look up values in a table for recounting. */
  const renewLookups = async (db: Transaction, table: Collection): Promise<void> => {
    for (const collection of await collections(db)) {
      const names = collection.checks
        .filter(({ lookups }) => lookups.some((one) => one.table.id === table.id))
        .map(({ name }) => name);
      if (names.length === 0) continue;
      const { collection: at, counted } = recount ?? {};
      const isRecounted = at?.kind === collection.kind && at.id === collection.id;
      if (recount && counted && isRecounted && names.includes(counted.check.name)) {
        recount.isOutdated = true;
      }
      await db.k
        .updateTable('check_states')
        .set({ due_at: 0 })
        .where('scope', '=', collection.kind)
        .where('thing_id', '=', collection.id)
        .where('name', 'in', names)
        .execute();
    }
  };

  /** Begins to count the next check that is due, beside the following of the history. */
  const begin = async (signal: AbortSignal): Promise<Recount | null> => {
    const readDue = () =>
      database.read(async (db) => {
        const now = Date.now();
        const states = (await store.readStates(db, null)).filter(({ due_at }) => due_at <= now);
        const [first] = states;
        if (!first) return null;
        const collection = await definitions.findById(db, first.scope, first.thing_id);
        const [counted] = collection ? countedOf(collection, [first]) : [];
        const position = (await store.readWorker(db))?.position ?? 0;
        return collection && counted ? { collection, counted, position } : null;
      });
    if (!(await readDue()) || !(await lease.take())) return null;
    const due = await readDue();
    if (!due) return null;
    const { collection, counted } = due;
    const result = recountCheck({ database, lease, signal }, collection, counted);
    // It is awaited once it is over, which may be in another run.
    const over = result.then(
      () => true as const,
      () => true as const,
    );
    return { ...due, result, over, isOutdated: false };
  };

  /**
   * Follows the entries of the history since a count began for its check alone, and makes the count known.
   * @param count when it began
   */
  const publish = async (counted: Recount, count: number, signal: AbortSignal): Promise<void> => {
    const { kind, id } = counted.collection;
    const { state } = counted.counted;
    let { position } = counted;
    let found = count;
    for (let isPublished = false; !isPublished && !signal.aborted;) {
      const next = await database.read(async (db) => {
        const collection = await definitions.findById(db, kind, id);
        const states = await store.readStates(db, { kind, id });
        const own = states.filter((one) => one.id === state.id);
        const [known] = collection ? countedOf(collection, own) : [];
        if (!collection || !known) return null;
        const isTooFar = (await readLastPosition(db)) - position > MAX_FOLLOWED;
        const { entries, upTo } = await readSequencedEntries(db, position, ENTRY_BATCH_SIZE);
        const ofOwn = entries.filter((one) => one.scope === kind && one.collectionId === id);
        return { collection, known, isTooFar, upTo, written: writtenIn(ofOwn) };
      });
      // The check is no longer there: what was stored of it goes, too.
      if (!next) mayHaveAbandoned = true;
      // It stays due, and is counted again.
      if (!next || next.isTooFar) return;
      const { collection, known, upTo, written } = next;
      const records = [{ collection, counted: [known], ...written }];
      const context = { database, lease, signal };
      const followed = written.ids.length > 0 ? await followRecords(context, records) : [];
      const stored = await database.write(async (db) => {
        const worker = await lease.renew(db);
        if (!worker) return null;
        let all = found;
        for (const { changes } of followed) {
          for (const one of changes) all += await storeChanges(db, collection, one);
        }
        const isWhole = upTo >= worker.position;
        if (isWhole) await publishCount(db, collection, known, all, counted.isOutdated);
        return { all, isWhole };
      }, 'row locks');
      if (!stored) return;
      position = upTo;
      found = stored.all;
      isPublished = stored.isWhole;
    }
    if (isOnPages(counted.counted.check)) onTextsQueued();
  };

  /** Counts the next check that is due, for a moment. @returns whether there may be more to do */
  const countDue = async (signal: AbortSignal): Promise<boolean> => {
    recount ??= await begin(signal);
    if (!recount) return false;
    // What is saved meanwhile is followed.
    if (!(await Promise.race([recount.over, pause(WAKE_DELAY, signal)]))) return true;
    const ended = recount;
    try {
      const count = await ended.result;
      if (count === null) return false;
      await publish(ended, count, signal);
      return true;
    } finally {
      recount = null;
    }
  };

  /** Deletes a part of what is stored of former checks. @returns whether there may be more */
  const tidy = async (signal: AbortSignal): Promise<boolean> => {
    if (!mayHaveAbandoned || !(await lease.take())) return false;
    try {
      mayHaveAbandoned = await deleteAbandoned({ database, lease, signal });
      return mayHaveAbandoned;
    } catch (error) {
      // Others read what was to be removed, such as a dump: it is tried again in the next run.
      if (error instanceof ApiError && error.code === 'unavailable') return false;
      throw error;
    }
  };

  /** Whether all pages are being compared: texts that are extracted meanwhile wait. */
  const isComparing = () => recount !== null && isOnPages(recount.counted.check);

  let prepared = false;
  const loop = new BackgroundLoop({
    name: 'counting the findings of checks',
    log,
    wakeDelay: WAKE_DELAY,
    async run(signal) {
      // A single process uses the database: a lease found at its start belongs to a process that has ended.
      if (!prepared && !database.adapter.isShared) {
        await lease.release(true);
      }
      prepared = true;
      let isBusy = true;
      while (isBusy && !signal.aborted) {
        if (!(await reconcile())) break;
        isBusy =
          (await follow(signal)) ||
          (!isComparing() && (await compareTexts(signal))) ||
          (await countDue(signal)) ||
          (await tidy(signal));
      }
      return POLL_INTERVAL;
    },
  });

  return {
    wake: () => loop.wake(),
    async close() {
      await loop.close();
      await recount?.over;
      await lease.release().catch(() => undefined);
    },
  };
}

/** Which records entries of the history have written, and who has. */
function writtenIn(
  entries: readonly Pick<SequencedEntry, 'rowId' | 'userId'>[],
): Pick<FollowedRecords, 'ids' | 'authors'> {
  return {
    ids: [...new Set(entries.map(({ rowId }) => rowId))],
    authors: new Map(entries.map(({ rowId, userId }) => [rowId, userId ?? 0])),
  };
}

/** Stores the changes of findings, and confirms that the counts are up to date. */
async function storeFollowed(db: Transaction, found: readonly Followed[]): Promise<void> {
  const now = Date.now();
  for (const { collection, counted, changes } of found) {
    for (const one of changes) {
      const state = counted.find(({ state: { id } }) => id === one.checkId)?.state;
      if (!state) continue;
      const more = await storeChanges(db, collection, one);
      const [{ added, removed }] = one.rows;
      if (added.length + removed.length === 0) continue;
      const all = state.found + more;
      await store.updateState(db, state.id, { found: all, count: all });
      await writeDailyCount(db, collection, one.name, all, now);
    }
    const ids = counted.map(({ state }) => state.id);
    await store.confirmStates(db, ids, now);
  }
}

/** The checks that have a state, with it. */
function countedOf(collection: Collection, states: readonly CheckState[]): CountedCheck[] {
  return collection.checks.flatMap((check) => {
    const state = states.find(
      ({ name, fingerprint }) => name === check.name && fingerprint === check.fingerprint,
    );
    return state ? [{ check, state }] : [];
  });
}

/** The states of removed checks, and the checks without a state. */
function differences(collections: readonly Collection[], states: readonly CheckState[]) {
  const keyOf = (scope: string, id: number, name: string, fingerprint: string) =>
    JSON.stringify([scope, id, name, fingerprint]);
  const checks = collections.flatMap((collection) =>
    collection.checks.map(({ name, fingerprint }) => ({ collection, name, fingerprint })),
  );
  const wanted = new Set(
    checks.map(({ collection: { kind, id }, name, fingerprint }) =>
      keyOf(kind, id, name, fingerprint),
    ),
  );
  const known = new Set(
    states.map((state) => keyOf(state.scope, state.thing_id, state.name, state.fingerprint)),
  );
  return {
    removed: states.filter(
      (state) => !wanted.has(keyOf(state.scope, state.thing_id, state.name, state.fingerprint)),
    ),
    added: checks.filter(
      ({ collection: { kind, id }, name, fingerprint }) =>
        !known.has(keyOf(kind, id, name, fingerprint)),
    ),
  };
}
