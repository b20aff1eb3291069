import { claimJob, LEASE_DURATION } from '#server/database/leases.ts';
import type { BulkEditRow } from '#server/database/tables/job-tables.ts';
import type { Selectable } from 'kysely';
import * as texts from '#messages/service/bulk-edit-records.ts';
import type { WarningLog } from '#server/lib/warning-log.ts';
import { JobLoop } from '#server/database/job-loop.ts';
import { READ_COMMITTED, type Database, type Transaction } from '#server/database/database.ts';
import { AdaptiveSize } from '#server/database/adaptive-size.ts';
import { createCooperativeYield, yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import { allows } from '#shared/rules/rights.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import type { WrittenLookupValues } from '../records/blocking-checks.ts';
import { findUser } from '../accounts/users.service.ts';
import { visibleTo } from '../rights/rights.service.ts';
import { applySlice, readPlannedValues, revertSlice } from './applying.ts';
import type { RunningJob } from './job-steps.ts';
import * as store from './bulk-edits.store.ts';
import type { StoredBulkEdit } from './bulk-edits.store.ts';
import { findDeletedBulkEdit, removePlannedRows } from './bulk-edit-removal.ts';
import { MAX_PLAN_TIME } from './planning.ts';

/** Applies and reverts batches in the background, one job after the other. */
export type BulkEditRunner = Pick<JobLoop, 'wake' | 'close'>;

/** The polling interval of the runner, in milliseconds. */
const POLL_INTERVAL = 2_000;
/** The interval soon after a wake, until the transaction that woke it has committed: interval and duration. */
const POLLING_AFTER_WAKE = { interval: 100, duration: 1_000 } as const;
/**
 * A part of a job is one transaction, done in slices: the target times of a part and a slice in milliseconds, and the
 * number of records in a slice. With a single writer all other writes wait for a part, 20 ms at most including its
 * commit (`max`), so the clock is read after each slice: the time of a slice is known only afterwards. While no other
 * write waits, a part takes up to `maxAlone`, because each commit costs about as much as 9 ms of writes. In a shared
 * database a part is one slice, because only writes of the same records wait for it.
 */
const PARTS = {
  oneWriter: {
    target: 9,
    max: 20,
    maxAlone: 60,
    slice: { targetTime: 3, initialSize: 10, maxSize: 500 },
  },
  shared: {
    target: 150,
    max: Infinity,
    maxAlone: 0,
    slice: { targetTime: 150, initialSize: 50, maxSize: 1_000 },
  },
} as const;
/** Unfinished plans of this age, in milliseconds, were abandoned by a process that ended. */
const UNFINISHED_PLAN_AGE = 2 * MAX_PLAN_TIME;
/** How many rows of a deleted plan one transaction removes. */
const REMOVAL_SIZE = 300;

/** Starts with the jobs that were running when the service was last stopped. */
export function runBulkEdits(
  database: Database,
  definitions: Definitions,
  log: WarningLog,
): BulkEditRunner {
  let wokenAt = Number.NEGATIVE_INFINITY;

  /** @returns whether there was anything to remove */
  const removeDeleted = async (): Promise<boolean> => {
    const before = Date.now() - UNFINISHED_PLAN_AGE;
    const id = await database.read((db) => findDeletedBulkEdit(db, before));
    if (id === undefined) return false;
    await database.write((db) => removePlannedRows(db, id, REMOVAL_SIZE), READ_COMMITTED);
    return true;
  };

  const loop = new JobLoop({
    name: 'a batch',
    log,
    database,
    table: 'bulk_edits',
    isOnlyProcess: !database.adapter.isShared,
    async work(id, signal, onProgress) {
      const planned = await readPlanned(database, definitions, id, signal);
      await runJob(database, signal, onProgress, {
        begin: (db) => beginPart(db, definitions, id, loop.owner),
        doSlice: (db, running, size) =>
          running.job.phase === 'apply'
            ? applySlice(db, running, size, planned)
            : revertSlice(db, running, size),
      });
    },
    stop: async (id) => {
      await database.write((db) => stop(db, loop.owner, id, texts.stoppedByDefect), READ_COMMITTED);
    },
    async onIdle() {
      if (await removeDeleted()) return 0;
      const isRecent = performance.now() - wokenAt < POLLING_AFTER_WAKE.duration;
      return isRecent ? POLLING_AFTER_WAKE.interval : POLL_INTERVAL;
    },
  });

  return {
    wake() {
      wokenAt = performance.now();
      loop.wake();
    },
    close: () => loop.close(),
  };
}

/** What the parts of a job consist of. */
interface PartWork {
  /** Begins the transaction of a part. @returns null: the job may not run */
  begin(db: Transaction): Promise<RunningJob | null>;
  /** Does a slice of this many rows. @returns the job after it; null: it is finished */
  doSlice(db: Transaction, running: RunningJob, size: number): Promise<StoredBulkEdit | null>;
}

/** Runs a job to its end, or until the service stops. */
async function runJob(
  database: Database,
  signal: AbortSignal,
  onProgress: () => void,
  work: PartWork,
): Promise<void> {
  const part = PARTS[database.adapter.isShared ? 'shared' : 'oneWriter'];
  const { targetTime: sliceTime } = part.slice;
  const size = new AdaptiveSize(part.slice);
  let targetTime: number = part.target;
  const yieldToOthers = createCooperativeYield(signal);
  while (!signal.aborted) {
    let started = performance.now();
    const isFinished = await database.write(async (db) => {
      started = performance.now();
      const until = started + targetTime;
      let running = await work.begin(db);
      while (running) {
        const start = performance.now();
        const job = await work.doSlice(db, running, size.current);
        if (!job) break;
        running = { ...running, job };
        const now = performance.now();
        const took = now - start;
        size.adapt(took);
        // The next slice, which may be twice as large, must finish in time, too.
        if (now + Math.min(took * 2, sliceTime) <= until) continue;
        if (now - started > part.maxAlone) return false;
        // Requests that have arrived are seen only after a yield.
        await yieldToEventLoop();
        if (database.load().waitingWrites > 0) return false;
      }
      return true;
    }, READ_COMMITTED);
    if (isFinished) return;
    onProgress();
    const took = performance.now() - started;
    targetTime = Math.max(sliceTime, Math.min(part.target, (targetTime * part.max) / took));
    await yieldToOthers(took);
  }
}

/** `readPlannedValues` of a job; null: it reverts, or may not run. */
async function readPlanned(
  database: Database,
  definitions: Definitions,
  id: number,
  signal: AbortSignal,
): Promise<WrittenLookupValues | null> {
  const found = await database.read(async (db) => {
    const job = await store.readJob(db, id);
    return job?.phase === 'apply' ? authorizeJob(db, definitions, job) : null;
  });
  if (!found || typeof found === 'string') return null;
  return readPlannedValues(database, found, signal);
}

/** Takes or renews the lease of a job; stops it if it may no longer run. @returns null: it may not run, or is finished */
async function beginPart(
  db: Transaction,
  definitions: Definitions,
  id: number,
  owner: string,
): Promise<RunningJob | null> {
  const job = await claim(db, id, owner);
  if (!job) return null;
  const running = await authorizeJob(db, definitions, job);
  if (typeof running !== 'string') return running;
  await stop(db, owner, id, running);
  return null;
}

/** The job with its archive or table and its actor, or a sentence that explains why it may no longer run. */
async function authorizeJob(
  db: Transaction,
  definitions: Definitions,
  job: StoredBulkEdit,
): Promise<RunningJob | string> {
  const { scope, collectionId, actor } = job;
  const collection = await definitions.findById(db, scope, collectionId);
  if (!collection) return texts.stoppedWithoutCollection(scope);
  const user = actor && (await findUser(db, actor.username));
  if (!actor || !user || user.id !== actor.userId || user.disabled) {
    return texts.stoppedWithoutUser;
  }
  const visible = await visibleTo(
    db,
    { userId: user.id, role: user.role, scope: null },
    collection,
  );
  if (!visible || !allows(visible.access, 'write')) {
    return texts.stoppedWithoutRight(scope);
  }
  return {
    job,
    collection: visible.collection,
    writer: { ...actor, isAdministrator: user.role === 'administrator' },
  };
}

async function stop(db: Transaction, owner: string, id: number, message: string): Promise<void> {
  const job = await claim(db, id, owner, 0);
  const finishedAt = Date.now();
  if (job) await store.updateBulkEdit(db, id, { state: 'stopped', finishedAt, message });
}

/** Takes or renews the lease of a job, in the transaction that does a part of it. */
async function claim(db: Transaction, id: number, owner: string, duration = LEASE_DURATION) {
  const row = await claimJob<Selectable<BulkEditRow>>(db, 'bulk_edits', id, owner, duration);
  return row && store.bulkEditFromRow(row);
}
