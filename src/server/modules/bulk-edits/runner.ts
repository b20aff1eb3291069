import { releaseLeases } from '#server/database/leases.ts';
import * as texts from '#messages/service/bulk-edit-records.ts';
import type { WarningLog } from '#server/warning-log.ts';
import { randomUUID } from 'node:crypto';
import { BackgroundLoop } from '#server/background-loop.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import { createCooperativeYield, yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { allows } from '#shared/rules/rights.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import type { Writer } from '../records/records.service.ts';
import { findUser } from '../accounts/users.service.ts';
import { visibleTo } from '../rights/rights.service.ts';
import { applyBatch, revertBatch, type Progress } from './applying.ts';
import * as store from './bulk-edits.store.ts';
import * as leases from './leases.store.ts';
import type { StoredBulkEdit } from './bulk-edits.store.ts';
import { findDropped, removeSome } from './bulk-edit-removal.store.ts';

/** Applies and reverts bulk edits in the background, one job after the other. */
export interface BulkEditRunner {
  /** Called, also within a transaction, when there may be a new job. */
  wake(): void;
  /** Resolves when the current part is done. Another process, or the next start, continues the job. */
  close(): Promise<void>;
}

/** The polling interval of the runner, in milliseconds. */
const POLL_INTERVAL = 2_000;
/** The interval soon after a wake, until the transaction that woke it has committed: interval and duration. */
const AFTER_WAKE = { interval: 100, duration: 1_000 } as const;
/** The lease of a job after its last part, in milliseconds; afterwards the process counts as dead. */
const LEASE = 10_000;
/**
 * A part of a job is one transaction, done in slices: the target times of a part and a slice in milliseconds, and the
 * number of revisions in a slice. With a single writer all other writes wait for a part, 20 ms at most including its
 * commit (`whole`), so the clock is read after each slice: the time of a slice is known only afterwards. While no other
 * write waits, a part takes up to `alone`, because each commit costs about as much as 9 ms of writes. In a shared
 * database a part is one slice, because only writes of the same revisions wait for it.
 */
const PARTS = {
  oneWriter: { aim: 9, whole: 20, alone: 60, slice: 3, first: 10, most: 500 },
  shared: { aim: 150, whole: Infinity, alone: 0, slice: 150, first: 50, most: 1_000 },
} as const;
/** A job whose part fails this often in succession is stopped. */
const MAX_FAILURES = 5;
/** Plans begun this long ago, in milliseconds, were abandoned by a process that ended. */
const UNFINISHED_PLAN_AGE = 10 * 60_000;
/** How many revisions of a deleted plan one transaction removes. */
const REMOVAL_BATCH = 300;

/** Starts with the jobs that were running when the service was last stopped. */
export function runBulkEdits(
  database: Database,
  definitions: Definitions,
  log: WarningLog,
): BulkEditRunner {
  const owner = randomUUID();
  let wokenAt = Number.NEGATIVE_INFINITY;
  const failed = { id: 0, times: 0 };

  /** Works on a job until it is finished, paused or leased by another process. */
  const work = async (id: number, signal: AbortSignal): Promise<void> => {
    const part = PARTS[database.adapter.isShared ? 'shared' : 'oneWriter'];
    let size: number = part.first;
    let aim: number = part.aim;
    const yieldToOthers = createCooperativeYield(signal);
    while (!signal.aborted) {
      let started = performance.now();
      const progress = await database.write(async (db) => {
        started = performance.now();
        const until = started + aim;
        for (;;) {
          const start = performance.now();
          const done = await doSlice(db, definitions, owner, id, size);
          const now = performance.now();
          const took = Math.max(now - start, 0.1);
          const wanted = Math.floor((size * part.slice) / took);
          size = Math.max(1, Math.min(wanted, size * 2, part.most));
          if (done === 'over') return done;
          // The next slice, which may be twice as large, must finish in time, too.
          if (now + Math.min(took * 2, part.slice) <= until) continue;
          if (now - started > part.alone) return done;
          // Requests that have arrived are seen only after a yield.
          await yieldToEventLoop();
          if (database.load().waitingWrites > 0) return done;
        }
      }, 'row locks');
      if (progress === 'over') return;
      failed.times = 0;
      const took = performance.now() - started;
      aim = Math.max(part.slice, Math.min(part.aim, (aim * part.whole) / took));
      await yieldToOthers(took);
    }
  };

  /** Ends the job after too many failures. */
  const noteFailure = async (id: number): Promise<void> => {
    failed.times = failed.id === id ? failed.times + 1 : 1;
    failed.id = id;
    if (failed.times < MAX_FAILURES) return;
    await database.write((db) => stop(db, owner, id, texts.stoppedByDefect), 'row locks');
  };

  /** @returns whether there was anything to remove */
  const removeDeleted = async (): Promise<boolean> => {
    const before = Date.now() - UNFINISHED_PLAN_AGE;
    const id = await database.read((db) => findDropped(db, before));
    if (id === undefined) return false;
    await database.write((db) => removeSome(db, id, REMOVAL_BATCH), 'row locks');
    return true;
  };

  let prepared: Promise<void> | undefined;
  const prepare = async (): Promise<void> => {
    // A single process uses the database: leases found at its start belong to a process that has ended.
    if (!database.adapter.isShared) {
      await database.write((db) => releaseLeases(db, 'bulk_edits', null)).catch(() => undefined);
    }
  };

  const loop = new BackgroundLoop({
    name: 'a bulk edit',
    log,
    wakeDelay: 10,
    async run(signal) {
      await (prepared ??= prepare());
      const id = await database.read((db) => leases.findWork(db, owner, Date.now()));
      if (id !== undefined) {
        try {
          await work(id, signal);
        } catch (error) {
          await noteFailure(id);
          throw new Error(`A part of the bulk edit ${id} failed.`, { cause: error });
        }
        return 0;
      }
      if (await removeDeleted()) return 0;
      const isRecent = performance.now() - wokenAt < AFTER_WAKE.duration;
      return isRecent ? AFTER_WAKE.interval : POLL_INTERVAL;
    },
  });

  return {
    wake() {
      wokenAt = performance.now();
      loop.wake();
    },
    async close() {
      await loop.close();
      await database
        .write((db) => releaseLeases(db, 'bulk_edits', owner), 'row locks')
        .catch(() => undefined);
    },
  };
}

async function doSlice(
  db: Transaction,
  definitions: Definitions,
  owner: string,
  id: number,
  size: number,
): Promise<Progress> {
  const now = Date.now();
  const job = await leases.claim(db, id, owner, now, now + LEASE);
  if (!job) return 'over';
  const standing = await readStanding(db, definitions, job);
  if (typeof standing === 'string') return stop(db, owner, id, standing);
  const { collection, writer } = standing;
  return job.phase === 'apply'
    ? applyBatch(db, collection, writer, job, size)
    : revertBatch(db, collection, writer, job, size);
}

/** The collection and the actor of a job, or a sentence that explains why it may no longer run. */
async function readStanding(
  db: Transaction,
  definitions: Definitions,
  { scope, collectionId, actor }: StoredBulkEdit,
): Promise<{ collection: Collection; writer: Writer } | string> {
  const collection = await definitions.findById(db, scope, collectionId);
  if (!collection) return texts.stoppedWithoutCollection(scope);
  const user = actor && (await findUser(db, actor.username));
  if (!actor || !user || user.id !== actor.userId || user.disabled) {
    return texts.stoppedWithoutUser;
  }
  const seen = await visibleTo(db, { userId: user.id, role: user.role, scope: null }, collection);
  if (!seen || !allows(seen.access, 'write')) {
    return texts.stoppedWithoutRight(scope);
  }
  return {
    collection: seen.collection,
    writer: { ...actor, administrator: user.role === 'administrator' },
  };
}

async function stop(
  db: Transaction,
  owner: string,
  id: number,
  message: string,
): Promise<Progress> {
  const now = Date.now();
  const job = await leases.claim(db, id, owner, now, now);
  if (job) await store.updateBulkEdit(db, id, { state: 'stopped', finishedAt: now, message });
  return 'over';
}
