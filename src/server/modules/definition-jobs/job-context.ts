import { setTimeout } from 'node:timers/promises';
import { READ_COMMITTED, type Database, type Transaction } from '#server/database/database.ts';
import { changeTables } from '#server/database/change-tables.ts';
import type { CollectionRef } from '#server/database/records/columns.ts';
import { AdaptiveSize } from '#server/database/adaptive-size.ts';
import { createCooperativeYield } from '#server/database/cooperative-yield.ts';
import type { FileStore } from '../files/file-store.ts';
import type { ChangeTally } from './change-tally.ts';
import { updateDefinitionJob, type DefinitionJob, type JobChanges } from './job-rows.ts';

/** What a job needs from the process that runs it. */
export interface JobContext {
  readonly database: Database;
  readonly files: FileStore;
  readonly signal: AbortSignal;
  /** Renews the lease within a transaction. @returns undefined if this process no longer has it */
  readonly claim: (db: Transaction) => Promise<DefinitionJob | undefined>;
}

/** The next phase, or the final state of the job; null: another process has the lease now. */
export type JobStep = JobChanges | null;

/** How long a part of a job may block other writes, in milliseconds, and its number of records. */
const PARTS = {
  oneWriter: { targetTime: 8, initialSize: 50, maxSize: 2_000 },
  shared: { targetTime: 50, initialSize: 50, maxSize: 5_000 },
} as const;

/**
 * How many times as long as a part the pause after it is on a shared server: how much others need of it, also those of other
 * processes, is not seen here.
 */
const SHARED_PAUSE_FACTOR = 2;

/** How many records are read ahead, to be changed in groups. */
const WINDOW_SIZE = 4_000;

type Part = (db: Transaction, job: DefinitionJob) => Promise<JobStep>;

/** Runs the parts of a phase, each a transaction, and yields to others after each. */
class PartRunner {
  readonly #context: JobContext;
  /** the state in which the job continues: a cancelled one only removes what it has done */
  readonly #state: DefinitionJob['state'];
  readonly #yieldToOthers: ReturnType<typeof createCooperativeYield>;

  constructor(context: JobContext, state: DefinitionJob['state'] = 'running') {
    this.#context = context;
    this.#state = state;
    this.#yieldToOthers = createCooperativeYield(context.signal);
  }

  createSize(): AdaptiveSize {
    return new AdaptiveSize(this.#isShared ? PARTS.shared : PARTS.oneWriter);
  }

  /** @param size of the part, which is adapted to its duration; null: the part is smaller than usual */
  async run(work: Part, size: AdaptiveSize | null): Promise<JobStep> {
    const { database, claim, signal } = this.#context;
    let [started, worked] = [performance.now(), 0];
    const step = await database.write(async (db): Promise<JobStep> => {
      started = performance.now();
      const job = await claim(db);
      if (!job) return null;
      const next = await work(db, job);
      if (next) await updateDefinitionJob(db, job.id, next);
      // Without the commit: flushing to a slow disk takes as long for one record as for many.
      worked = performance.now() - started;
      return next;
    }, READ_COMMITTED);
    if (endsPhase(step)) return step;
    size?.adapt(worked);
    const took = performance.now() - started;
    if (this.#isShared) {
      await setTimeout(took * SHARED_PAUSE_FACTOR, undefined, { signal }).catch(() => undefined);
    } else {
      await this.#yieldToOthers(took, worked);
    }
    return step;
  }

  /** `changeSomeRecords` */
  async change(
    ids: readonly number[],
    before: readonly ChangeTally[],
    change: ChangeRecords,
    size: AdaptiveSize,
  ): Promise<readonly ChangeTally[] | null> {
    let tallies = before;
    for (let at = 0; at < ids.length;) {
      if (this.#context.signal.aborted) return null;
      const part = ids.slice(at, at + size.current);
      const known = tallies;
      const work: Part = async (db, job) => {
        if (job.state !== this.#state) return null;
        tallies = await change(db, part, known);
        return {};
      };
      if (!(await this.run(work, part.length === size.current ? size : null))) return null;
      at += part.length;
    }
    return tallies;
  }

  get #isShared(): boolean {
    return this.#context.database.adapter.isShared;
  }
}

function endsPhase(step: JobStep): boolean {
  return !step || step.state !== undefined || step.phase !== undefined;
}

/**
 * Runs a phase in parts, each a transaction of about the same duration, and yields to others between them.
 * @param work processes this many records, and returns the changes of the job; a `state`, `phase` or null ends the
 * phase
 */
export async function runInParts(
  context: JobContext,
  work: (db: Transaction, job: DefinitionJob, size: number) => Promise<JobStep>,
): Promise<JobStep> {
  const runner = new PartRunner(context);
  const size = runner.createSize();
  while (!context.signal.aborted) {
    const step = await runner.run((db, job) => work(db, job, size.current), size);
    if (endsPhase(step)) return step;
  }
  return null;
}

/**
 * Changes some records, and returns the tallies with theirs; in a transaction that may be repeated.
 * @param ids of the records
 */
type ChangeRecords = (
  db: Transaction,
  ids: readonly number[],
  tallies: readonly ChangeTally[],
) => Promise<readonly ChangeTally[]>;

/**
 * Changes all records after the position of a job in parts, as `runInParts`, in the groups of `RowWrites.updateGroups`. The
 * position is stored after thousands of records, which are changed again after an interruption.
 * @param end called after the last record
 */
export async function changeAllRecords(
  context: JobContext,
  collection: CollectionRef,
  job: DefinitionJob,
  change: ChangeRecords,
  end: (tallies: readonly ChangeTally[]) => Promise<JobStep>,
): Promise<JobStep> {
  const runner = new PartRunner(context, job.state);
  // Records of different groups take different times.
  const sizes: AdaptiveSize[] = [];
  let { position, done, tallies } = job;
  for (;;) {
    const after = position;
    const groups = await context.database.read(
      (db) => db.adapter.updateGroups(db, collection, after, WINDOW_SIZE),
      { isBackground: true },
    );
    if (groups.every((ids) => ids.length === 0)) return end(tallies);
    for (const [group, ids] of groups.entries()) {
      sizes[group] ??= runner.createSize();
      const changed = await runner.change(ids, tallies, change, sizes[group]);
      if (!changed) return null;
      tallies = changed;
      done = Math.min(done + ids.length, job.total);
      position = Math.max(position, ids.at(-1) ?? position);
    }
    if (!(await storeStep(context, { tallies, position, done }))) return null;
  }
}

/**
 * Changes some records in parts, as `runInParts`.
 * @returns the tallies with theirs; null: the job is not to continue
 */
export function changeSomeRecords(
  context: JobContext,
  ids: readonly number[],
  tallies: readonly ChangeTally[],
  change: ChangeRecords,
): Promise<readonly ChangeTally[] | null> {
  const runner = new PartRunner(context);
  return runner.change(ids, tallies, change, runner.createSize());
}

/** Stores the changes of a job. */
export async function storeStep(
  { database, claim }: Pick<JobContext, 'database' | 'claim'>,
  step: JobChanges,
): Promise<JobStep> {
  return database.write(async (db) => {
    const job = await claim(db);
    if (!job) return null;
    await updateDefinitionJob(db, job.id, step);
    return step;
  }, READ_COMMITTED);
}

/** Does a step and stores it in one transaction, in which nobody else writes the archive or table. */
export function stepUnderLock(
  { database, claim }: JobContext,
  collection: CollectionRef,
  work: Part,
): Promise<JobStep> {
  return changeTables(database, async (db) => {
    // Before anything is read: a serializable transaction does not see what is committed after its first read.
    await db.adapter.lockDefinition(db, collection);
    const job = await claim(db);
    const step = job ? await work(db, job) : null;
    if (job && step) await updateDefinitionJob(db, job.id, step);
    return step;
  });
}
