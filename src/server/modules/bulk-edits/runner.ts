import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Database, Transaction } from '#server/database/database.ts';
import { createCooperativeYield } from '#server/database/cooperative-yield.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { accessOf, allows } from '#shared/rights.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import type { Writer } from '../records/records.service.ts';
import { findUser, grantedAccess } from '../accounts/users.service.ts';
import { applyBatch, revertBatch, type Progress } from './applying.ts';
import * as store from './bulk-edits.store.ts';
import * as leases from './leases.store.ts';
import type { Owner, StoredBulkEdit } from './bulk-edits.store.ts';
import { WORDS } from './words.ts';
import { findDropped, removeSome } from './removal.store.ts';

/** Works on the jobs of bulk edits, one after the other, as long as the service runs. */
export interface BulkEditRunner {
  /** Called when there may be something to do: it looks after the transaction under way, and later again. */
  wake(): void;
  /** Resolves when the part under way is done; another process, or the next start, goes on with the rest. */
  close(): Promise<void>;
}

interface Log {
  error(about: unknown, message: string): void;
}

/** How often it looks by itself whether there is something to do, in milliseconds. */
const LOOK_EVERY = 2_000;
/** For how long a job is a process's own since its last part, in milliseconds: then it is taken for dead. */
const LEASE = 10_000;
/**
 * A part of a job is one transaction, done in slices: how long a part and a slice take about, in milliseconds, and
 * of how many revisions a slice is. On SQLite all other writes wait for a part, 20 ms at most with its commit
 * (`whole`), so the clock is looked at after each slice: how long one takes is only known of those before it. On
 * PostgreSQL a part is one slice, as only writes of the same revisions wait for it.
 */
const PARTS = {
  sqlite: { aim: 9, whole: 20, slice: 3, first: 10, most: 500 },
  postgres: { aim: 150, whole: Infinity, slice: 150, first: 50, most: 1_000 },
} as const;
/** A job whose part fails so often, one time after the other, is stopped. */
const MOST_FAILURES = 5;
/** Plans that were begun so long ago, in milliseconds, were left by a process that ended. */
const PLANS_LEFT_AFTER = 10 * 60_000;
const REMOVED_AT_ONCE = 300;

/** Starts working, with what was left when the service was last stopped. */
export function runBulkEdits(
  database: Database,
  definitions: Definitions,
  log: Log,
): BulkEditRunner {
  const owner = randomUUID();
  const closing = new AbortController();
  let awake = Promise.withResolvers<void>();

  /** @returns whether it did anything */
  const work = async (): Promise<boolean> => {
    const id = await database.read((db) => leases.findWork(db, owner, Date.now()));
    if (id === undefined) return removeDropped();
    const part = PARTS[database.dialect];
    let size: number = part.first;
    let aim: number = part.aim;
    let failures = 0;
    const giveWay = createCooperativeYield(closing.signal);
    while (!closing.signal.aborted) {
      try {
        let begun = performance.now();
        const progress = await database.write(async (db) => {
          begun = performance.now();
          const until = begun + aim;
          for (;;) {
            const start = performance.now();
            const done = await doSlice(db, definitions, owner, id, size);
            const now = performance.now();
            const took = Math.max(now - start, 0.1);
            const wanted = Math.floor((size * part.slice) / took);
            size = Math.max(1, Math.min(wanted, size * 2, part.most));
            // The next one, which may be twice as large, has to end in time, too.
            if (done === 'over' || now + Math.min(took * 2, part.slice) > until) return done;
          }
        }, 'row locks');
        if (progress === 'over') break;
        failures = 0;
        const took = performance.now() - begun;
        aim = Math.max(part.slice, Math.min(part.aim, (aim * part.whole) / took));
        await giveWay(took);
      } catch (error) {
        log.error({ err: error, bulkEditId: id }, 'a part of a bulk edit failed');
        size = part.first;
        if (++failures >= MOST_FAILURES) {
          await database.write((db) => stop(db, owner, id, BROKEN), 'row locks');
          break;
        }
        await pause(failures * 500, closing.signal);
      }
    }
    return true;
  };

  const removeDropped = async (): Promise<boolean> => {
    const before = Date.now() - PLANS_LEFT_AFTER;
    const id = await database.read((db) => findDropped(db, before));
    if (id === undefined) return false;
    return database.write(async (db) => {
      await removeSome(db, id, REMOVED_AT_ONCE);
      return true;
    }, 'row locks');
  };

  const run = async (): Promise<void> => {
    // There is one process on a SQLite database: what is claimed there was claimed by one that has ended.
    if (database.dialect === 'sqlite')
      await database.write(leases.releaseAll).catch(() => undefined);
    while (!closing.signal.aborted) {
      let worked = false;
      try {
        worked = await work();
      } catch (error) {
        if (!closing.signal.aborted) log.error({ err: error }, 'looking for bulk edits failed');
      }
      if (worked) continue;
      await Promise.race([pause(LOOK_EVERY, closing.signal), awake.promise]);
      awake = Promise.withResolvers();
    }
    await database.write((db) => leases.release(db, owner), 'row locks').catch(() => undefined);
  };
  const running = run();

  return {
    wake() {
      // The transaction in which this is called has to be over first; under load that takes its time.
      for (const after of [10, 100, 500]) {
        void pause(after, closing.signal).then(() => awake.resolve());
      }
    },
    async close() {
      closing.abort();
      awake.resolve();
      await running;
    },
  };
}

const BROKEN = 'It stopped because of an error of the service. What is done can be undone.';

async function find(
  db: Transaction,
  definitions: Definitions,
  owner: Owner,
): Promise<Collection | undefined> {
  const collections: readonly Collection[] =
    owner.kind === 'archive' ? await definitions.archives(db) : await definitions.tables(db);
  return collections.find(({ id }) => id === owner.id);
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
  const standing = await standingOf(db, definitions, job);
  if (typeof standing === 'string') return stop(db, owner, id, standing);
  const { collection, writer } = standing;
  return job.phase === 'apply'
    ? applyBatch(db, collection, writer, job, size)
    : revertBatch(db, collection, writer, job, size);
}

/** What a job works on and as whom, or a sentence saying why it may not any more. */
async function standingOf(
  db: Transaction,
  definitions: Definitions,
  { scope, collectionId, actor }: StoredBulkEdit,
): Promise<{ collection: Collection; writer: Writer } | string> {
  const collection = await find(db, definitions, { kind: scope, id: collectionId });
  if (!collection) return `Stopped as there is no such ${WORDS[scope].collection} any more.`;
  const user = actor && (await findUser(db, actor.username));
  if (!actor || !user || user.id !== actor.userId || user.disabled) {
    return 'Stopped as the user who started it may not sign in any more.';
  }
  const access = accessOf(user.role, await grantedAccess(db, user.id, scope, collectionId));
  if (!allows(access, 'write')) {
    return `Stopped as the user who started it may not change this ${WORDS[scope].collection} any more.`;
  }
  return { collection, writer: { ...actor, administrator: user.role === 'administrator' } };
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

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}
