import { BackgroundLoop, pause } from '#server/lib/background-loop.ts';
import { READ_COMMITTED, type Database, type Transaction } from '#server/database/database.ts';
import type { Check, LookupColumn } from '#server/database/records/check.ts';
import { isLookupIn, lookupsOfChecks } from '#server/database/records/check-conditions.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { WarningLog } from '#server/lib/warning-log.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import {
  mayChangeField,
  readLastPosition,
  type SequencedEntry,
} from '../history/history.service.ts';
import { markCompared, readExtracted, readRevisionsWith } from '../page-texts/file-texts.ts';
import { isOnPages } from '../page-texts/page-misses.ts';
import { countedChecks, needsReconciliation, reconcileStates } from './check-reconciliation.ts';
import * as store from './check-states.store.ts';
import { CountingLease, type CountingContext } from './counting-lease.ts';
import {
  exceedsFollowLimit,
  followRecords,
  readEntriesToFollow,
  recordsWrittenBy,
  storeFollowed,
  type RecordsToFollow,
} from './follow-records.ts';
import { UnmeasuredRecords } from './unmeasured-records.ts';
import { publishRecount, type Recount } from './publish-recount.ts';
import { deleteAbandoned, recountCheck, type CountedCheck } from './recount-check.ts';

/** The polling interval for changes by other processes, in milliseconds. */
const POLL_INTERVAL = 1_000;
/** Between an entry of the history and its counting, so that one run serves several. */
const WAKE_DELAY = 300;
/** Extracted texts that are compared with records at once. */
const TEXT_BATCH_SIZE = 20;

/**
 * Counts the findings of checks in the background, and follows every change (docs/decisions/0050-counts-of-checks.md).
 * @param onTextsQueued called when files may have been queued for text extraction
 */
export function countChecks(
  database: Database,
  definitions: Definitions,
  log: WarningLog,
  onTextsQueued: () => void,
): Pick<BackgroundLoop, 'wake' | 'close'> {
  const counter = new CheckCounter(database, definitions, onTextsQueued);
  const loop = new BackgroundLoop({
    name: 'counting the findings of checks',
    log,
    wakeDelay: WAKE_DELAY,
    async run(signal) {
      await counter.run(signal);
      return POLL_INTERVAL;
    },
  });
  return {
    wake: () => loop.wake(),
    async close() {
      await loop.close();
      await counter.close();
    },
  };
}

/** The entries of an archive or table. */
interface WrittenEntries {
  readonly collection: Collection;
  readonly entries: readonly SequencedEntry[];
}

/** Checks of an archive or table. */
interface ChecksOf {
  readonly collection: Collection;
  readonly names: readonly string[];
}

class CheckCounter {
  readonly #database: Database;
  readonly #definitions: Definitions;
  readonly #onTextsQueued: () => void;
  readonly #lease: CountingLease;
  /** the check that is being counted for all records, while the history is followed */
  #recount: Recount | null = null;
  /** whether rows of checks may be stored that are no longer defined */
  #mayHaveAbandoned = true;
  #isPrepared = false;
  readonly #unmeasured = new UnmeasuredRecords();

  constructor(database: Database, definitions: Definitions, onTextsQueued: () => void) {
    this.#database = database;
    this.#definitions = definitions;
    this.#onTextsQueued = onTextsQueued;
    this.#lease = new CountingLease(database);
  }

  /** Works until there is nothing to do, or another process has the lease. */
  async run(signal: AbortSignal): Promise<void> {
    // A single process uses the database: a lease found at its start belongs to a process that has ended.
    if (!this.#isPrepared && !this.#database.adapter.isShared) await this.#lease.release(true);
    this.#isPrepared = true;
    let isBusy = true;
    while (isBusy && !signal.aborted) {
      if (!(await this.#reconcile())) break;
      isBusy =
        (await this.#followHistory(signal)) ||
        (await this.#compareTexts(signal)) ||
        (await this.#recountDue(signal)) ||
        (await this.#deleteAbandoned(signal));
    }
  }

  async close(): Promise<void> {
    await this.#recount?.ended;
    await this.#lease.release().catch(() => undefined);
  }

  /** Reconciles the states with the defined checks. @returns false if that is needed and another process has the lease */
  async #reconcile(): Promise<boolean> {
    const database = this.#database;
    const worker = await database.read(store.readCountingState);
    const position = await database.read(readLastPosition);
    if (!worker)
      await database.write((db) => store.insertCountingState(db, position), READ_COMMITTED);
    const isNeeded = await database.read(async (db) =>
      needsReconciliation(db, await this.#collections(db)),
    );
    if (!isNeeded) return true;
    if (!(await this.#lease.take())) return false;
    this.#mayHaveAbandoned = true;
    await database.write(async (db) => {
      if (await this.#lease.renew(db)) await reconcileStates(db, await this.#collections(db));
    }, READ_COMMITTED);
    return true;
  }

  /** Follows the next entries of the history. @returns whether there may be more */
  async #followHistory(signal: AbortSignal): Promise<boolean> {
    const isBehind = await this.#database.read(async (db) => {
      const worker = await store.readCountingState(db);
      return worker !== undefined && worker.position < (await readLastPosition(db));
    });
    if (!isBehind || !(await this.#lease.take())) return false;
    const next = await this.#database.read((db) => this.#readNextEntries(db));
    const dependentChecks = await this.#lease.withRenewal(() =>
      this.#findDependentChecks(next.written, signal),
    );
    const followed = await followRecords(this.#context(signal), next.records);
    const unmeasured = await this.#database.read((db) => this.#unmeasured.count(db, followed));
    const isOwn = await this.#database.write(async (db) => {
      // Another process has already followed these entries.
      if ((await this.#lease.renew(db))?.position !== next.position) return false;
      for (const collection of next.skipped) await store.resetStates(db, collection);
      await storeFollowed(db, followed);
      for (const { collection, names } of dependentChecks) {
        await this.#markDue(db, collection, names);
      }
      for (const { collection, check, isDue } of unmeasured) {
        if (isDue) await this.#markDue(db, collection, [check.name]);
      }
      await store.storePosition(db, next.upTo);
      return true;
    }, READ_COMMITTED);
    if (isOwn) this.#unmeasured.store(unmeasured);
    const hasPages = followed.some(({ counted }) => counted.some(({ check }) => isOnPages(check)));
    if (hasPages) this.#onTextsQueued();
    // What this process commits meanwhile wakes the loop; what others commit waits for the next poll.
    return isOwn && !next.isLast;
  }

  /** The entries of the history that are followed next, and the records that they have written. */
  async #readNextEntries(db: Transaction) {
    const position = (await store.readCountingState(db))?.position ?? 0;
    const { entries, upTo, isLast } = await readEntriesToFollow(db, position);
    const records: RecordsToFollow[] = [];
    // The archives and tables in which they have written too many: their checks are counted again.
    const skipped: Collection[] = [];
    const written: WrittenEntries[] = [];
    for (const kind of ['archive', 'table'] as const) {
      const ofKind = entries.filter(({ scope }) => scope === kind);
      for (const [id, ofOne] of Map.groupBy(ofKind, ({ collectionId }) => collectionId)) {
        const counted = await this.#countedChecks(db, kind, id);
        if (!counted) continue;
        const { collection } = counted;
        if (exceedsFollowLimit(ofOne)) skipped.push(collection);
        else records.push({ ...counted, ...recordsWrittenBy(ofOne) });
        written.push({ collection, entries: ofOne });
      }
    }
    return { position, upTo, isLast, records, skipped, written };
  }

  /** Compares records with the texts that were extracted of their files. @returns whether there were any */
  async #compareTexts(signal: AbortSignal): Promise<boolean> {
    // While all pages are compared, texts that are extracted meanwhile wait.
    if (this.#recount && isOnPages(this.#recount.counted.check)) return false;
    const isWaiting = (await this.#database.read((db) => readExtracted(db, 1))).length > 0;
    if (!isWaiting || !(await this.#lease.take())) return false;
    const { texts, records } = await this.#database.read((db) => this.#readNextTexts(db));
    const followed = await followRecords(this.#context(signal), records);
    return this.#database.write(async (db) => {
      if (!(await this.#lease.renew(db))) return false;
      await storeFollowed(db, followed);
      await markCompared(
        db,
        texts.map(({ sha256 }) => sha256),
      );
      return true;
    }, READ_COMMITTED);
  }

  /** The next extracted texts, and the records whose files have them. */
  async #readNextTexts(db: Transaction) {
    const texts = await readExtracted(db, TEXT_BATCH_SIZE);
    const locations = texts.map(({ location }) => location);
    const records: RecordsToFollow[] = [];
    for (const [id, ids] of await readRevisionsWith(db, locations)) {
      const known = await this.#countedChecks(db, 'archive', id);
      const counted = known?.counted.filter(({ check }) => isOnPages(check)) ?? [];
      if (known && counted.length > 0) {
        records.push({ ...known, counted, ids: [...new Set(ids)], authors: null });
      }
    }
    return { texts, records };
  }

  /** Counts the next check that is due for a short time. @returns whether there may be more to do */
  async #recountDue(signal: AbortSignal): Promise<boolean> {
    this.#recount ??= await this.#startRecount(signal);
    const recount = this.#recount;
    if (!recount) return false;
    // What is saved meanwhile is followed.
    if (!(await Promise.race([recount.ended, pause(WAKE_DELAY, signal)]))) return true;
    try {
      const count = await recount.result;
      if (count === null) return false;
      const context = this.#context(signal);
      const outcome = await publishRecount(context, this.#definitions, recount, count);
      if (outcome === 'check removed') this.#mayHaveAbandoned = true;
      if (outcome === 'ended' && isOnPages(recount.counted.check)) this.#onTextsQueued();
      return true;
    } finally {
      this.#recount = null;
    }
  }

  async #startRecount(signal: AbortSignal): Promise<Recount | null> {
    if (!(await this.#readDue()) || !(await this.#lease.take())) return null;
    // Read again with the lease: another process may have counted it meanwhile.
    const due = await this.#readDue();
    if (!due) return null;
    this.#unmeasured.reset(due.collection, due.counted.check);
    const result = recountCheck(this.#context(signal), due.collection, due.counted);
    // `result` is awaited later, possibly in another run, so its rejection is handled here.
    const ended = result.then(
      () => true as const,
      () => true as const,
    );
    return { ...due, result, ended, isOutdated: false };
  }

  /** The next check that is due; null: there is none. */
  #readDue(): Promise<Pick<Recount, 'collection' | 'counted' | 'position'> | null> {
    return this.#database.read(async (db) => {
      const now = Date.now();
      const states = (await store.readCheckStates(db, null)).filter(({ due_at }) => due_at <= now);
      const [first] = states;
      if (!first) return null;
      const collection = await this.#definitions.findById(db, first.scope, first.thing_id);
      const [counted] = collection ? countedChecks(collection, [first]) : [];
      const position = (await store.readCountingState(db))?.position ?? 0;
      return collection && counted ? { collection, counted, position } : null;
    });
  }

  /** Deletes some of the stored rows of former checks. @returns whether there may be more */
  async #deleteAbandoned(signal: AbortSignal): Promise<boolean> {
    if (!this.#mayHaveAbandoned || !(await this.#lease.take())) return false;
    try {
      this.#mayHaveAbandoned = await deleteAbandoned(this.#context(signal));
      return this.#mayHaveAbandoned;
    } catch (error) {
      // Others read what was to be removed, such as a dump: it is tried again in the next run.
      if (error instanceof ApiError && error.code === 'unavailable') return false;
      throw error;
    }
  }

  /** The checks that look up values in columns that entries of the history may have changed. */
  async #findDependentChecks(
    written: readonly WrittenEntries[],
    signal: AbortSignal,
  ): Promise<readonly ChecksOf[]> {
    const collections = await this.#database.read((db) => this.#collections(db));
    const lookups = collections.flatMap(({ checks }) => lookupsOfChecks(checks));
    const changed = new Set<LookupColumn>();
    for (const { collection, entries } of written) {
      const lookupsIn = lookups.filter((lookup) => isLookupIn(collection, lookup));
      for (const { number, historyName } of collection.fields) {
        const ofField = lookupsIn.filter(({ field }) => field.number === number);
        if (ofField.length === 0 || !(await this.#mayChange(entries, historyName, signal)))
          continue;
        for (const lookup of ofField) changed.add(lookup);
      }
    }
    const isAffected = (check: Check) => check.lookups.some((lookup) => changed.has(lookup));
    return collections.flatMap((collection) => {
      const names = collection.checks.filter(isAffected).map(({ name }) => name);
      return names.length > 0 ? [{ collection, names }] : [];
    });
  }

  /** Whether entries may have changed the values of a field; many are not read. @param name in the history */
  async #mayChange(
    entries: readonly SequencedEntry[],
    name: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (exceedsFollowLimit(entries)) return true;
    const ids = entries.map(({ id }) => id);
    return this.#database.read((db) => mayChangeField(db, ids, name), {
      signal,
      isBackground: true,
    });
  }

  async #markDue(db: Transaction, collection: Collection, names: readonly string[]): Promise<void> {
    const recount = this.#recount;
    const isRecounted =
      recount?.collection.kind === collection.kind && recount.collection.id === collection.id;
    if (isRecounted && names.includes(recount.counted.check.name)) recount.isOutdated = true;
    await store.markDue(db, collection, names);
  }

  /** The checks of an archive or table that have been counted; null: it does not exist. */
  async #countedChecks(
    db: Transaction,
    kind: Collection['kind'],
    id: number,
  ): Promise<{ readonly collection: Collection; readonly counted: CountedCheck[] } | null> {
    const collection = await this.#definitions.findById(db, kind, id);
    if (!collection) return null;
    const states = await store.readCheckStates(db, collection);
    const counted = countedChecks(collection, states).filter(
      ({ state }) => state.count !== null && state.id !== this.#recount?.counted.state.id,
    );
    return { collection, counted };
  }

  async #collections(db: Transaction): Promise<Collection[]> {
    return [...(await this.#definitions.archives(db)), ...(await this.#definitions.tables(db))];
  }

  #context(signal: AbortSignal): CountingContext {
    return { database: this.#database, lease: this.#lease, signal };
  }
}
