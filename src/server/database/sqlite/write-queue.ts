import * as texts from '#messages/service/http.ts';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Transaction, Weight } from '../database.ts';
import { SQLITE_SETTINGS } from './sqlite-adapter.ts';
import { isBusy, type SqliteConnection } from './sqlite-connection.ts';
import { runInTransaction, sourceOf } from './sqlite-transaction.ts';
import { storageErrorOf } from '../storage-errors.ts';
import { QueueStats } from '../queue-stats.ts';
import { unavailable } from '../unavailable.ts';

/** A batch takes no further job after this many jobs or milliseconds, so that the first job does not wait too long. */
const MAX_BATCH_SIZE = 256;
const MAX_BATCH_TIME = 50;

/** How long a large write lets newer writes run before it, in milliseconds. */
const MAX_YIELD_TIME = 1_000;

/** How long a write waits for another process that writes to the same database, in milliseconds. */
const MAX_WAIT = 30_000;

/** How often a job is run whose transaction was rolled back because of another job. */
const MAX_ATTEMPTS = 3;

interface Job {
  attempts: number;
  /** until when a large write lets others run before it, in milliseconds; 0: it is not large */
  readonly yieldsUntil: number;
  /** Called when the job starts. */
  begin(): void;
  run(connection: SqliteConnection): Promise<void>;
  /** Resolves the caller's promise with the result of `run`. */
  succeed(): void;
  fail(error: unknown): void;
}

/** A failed job whose error is reported after the commit of the jobs before it. */
interface FailedJob {
  readonly job: Job;
  readonly error: unknown;
}

/**
 * The queue of writes on the single writing connection.
 *
 * Batches: jobs that wait at the same time share one commit, because waiting for the disk is most of the cost of a small
 * write. Each job is answered after the commit.
 *
 * Failures: a job that fails after others of its batch may have read what they wrote: a version, a unique value, a lock.
 * So its error also waits for the commit. If the commit fails, the job fails with the commit's error, not with one that
 * is based on data that was never saved.
 *
 * Large writes: a large write lets waiting writes run before it. It shares its commit with none, because all of them
 * would wait for it.
 *
 * Savepoints: most failing jobs fail before they have written anything, and leave nothing to undo. If one has written,
 * the whole transaction is rolled back and the other jobs are run again, now with a savepoint before each, so that a
 * further failure is undone alone. Savepoints for all batches would make the full-text index write a segment per job
 * instead of one per batch.
 */
export class WriteQueue {
  /** the jobs that have not started */
  readonly waiting = new QueueStats();
  readonly #connection: SqliteConnection;
  readonly #notify: (payload: string) => void;
  #waiting: Job[] = [];
  /** writes on other connections, which wait for their turn */
  #external: (() => Promise<void>)[] = [];
  #isExternalRunning = false;
  /** whether the next batch has a savepoint before each job */
  #usesSavepoints = false;
  #draining: Promise<void> | undefined;
  #idleSince = performance.now();
  #closed = false;
  /** the error after which no more writes are possible */
  #fatalError: unknown;
  /** the error that proves the database to be damaged: further writes could spread the damage */
  #damageError: unknown;

  /** @param notify called after the commit with each notification of a write */
  constructor(connection: SqliteConnection, notify: (payload: string) => void) {
    this.#connection = connection;
    this.#notify = notify;
  }

  /** Resolves with what `work` returned, after the durable commit. */
  write<T>(work: (db: Transaction) => Promise<T>, weight: Weight = 'usual'): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('The database is closed.'));
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let succeed: (() => void) | undefined;
    const endWait = this.waiting.startWait();
    this.#waiting.push({
      attempts: 0,
      yieldsUntil: weight === 'large' ? performance.now() + MAX_YIELD_TIME : 0,
      begin: endWait,
      run: async (connection) => {
        const payloads: string[] = [];
        const notify = async (_: Transaction, payload: string) => void payloads.push(payload);
        const settings = { ...SQLITE_SETTINGS, notify };
        const result = await runInTransaction(sourceOf(connection), settings, work);
        succeed = () => {
          resolve(result);
          for (const payload of payloads) this.#notify(payload);
        };
      },
      succeed: () => succeed?.(),
      fail: (error) => {
        endWait();
        reject(error);
      },
    });
    this.#draining ??= this.#drain();
    return promise;
  }

  /**
   * Runs `work`, which writes on another connection to the same database, while no job of this queue runs: SQLite has
   * one writer at a time, and a job that waits for the other connection's lock would block the process.
   * @returns for how long it ran, in milliseconds
   */
  runExternal(work: () => Promise<void>): Promise<number> {
    if (this.#closed) return Promise.reject(new Error('The database is closed.'));
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const endWait = this.waiting.startWait();
    this.#external.push(async () => {
      endWait();
      this.#isExternalRunning = true;
      try {
        const refused = this.#fatalError ?? this.#damageError;
        if (refused !== undefined) throw refused;
        const started = performance.now();
        await work();
        resolve(performance.now() - started);
      } catch (error) {
        if (storageErrorOf(error) === 'damaged') this.refuseWrites(error);
        reject(isBusy(error) ? unavailable(texts.databaseBusy, error) : error);
      } finally {
        this.#isExternalRunning = false;
      }
    });
    this.#draining ??= this.#drain();
    return promise;
  }

  /** How long the first job in the queue has waited, in milliseconds, without the time of an external write. */
  get longestWait(): number {
    return this.#isExternalRunning ? 0 : this.waiting.longestWait;
  }

  /** For how long nothing was written, in milliseconds. */
  get idleTime(): number {
    return this.#draining ? 0 : performance.now() - this.#idleSince;
  }

  /** Rejects further jobs with this error while reads continue; jobs in progress are finished. */
  refuseWrites(error: unknown): void {
    this.#damageError ??= error;
  }

  /** Rejects further jobs and resolves when all others are answered. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0 || this.#external.length > 0) {
      // Requests that arrived meanwhile, also from callers answered by the last commit, join this batch.
      await setImmediate();
      const external = this.#external.shift();
      await (external ? external() : this.#runBatch());
    }
    this.#draining = undefined;
    this.#idleSince = performance.now();
  }

  async #runBatch(): Promise<void> {
    const done: Job[] = [];
    const failed: FailedJob[] = [];
    const until = performance.now() + MAX_BATCH_TIME;
    const usesSavepoints = this.#usesSavepoints;
    this.#usesSavepoints = false;
    for (let taken = 0; taken < MAX_BATCH_SIZE; taken += 1) {
      if (taken > 0 && performance.now() > until) break;
      const job = this.#takeNext(done.length > 0);
      if (!job) break;
      const refused = this.#fatalError ?? this.#damageError;
      if (refused !== undefined) {
        job.fail(refused);
        continue;
      }
      if (!(await this.#beginTransaction(job))) continue;
      job.begin();
      const failure = await this.#run(job, usesSavepoints && done.length > 0);
      if (!failure) {
        done.push(job);
        if (job.yieldsUntil > 0) break;
        continue;
      }
      const { error } = failure;
      // Either nothing uncommitted could have been read, or the storage itself failed.
      const isFinal = done.length === 0 || storageErrorOf(error) !== null;
      if (isFinal) job.fail(error);
      else failed.push({ job, error });
      if (!this.#connection.inTransaction && done.length > 0) {
        // The whole transaction is rolled back, with what the earlier jobs wrote and the failed ones read.
        const rolledBack = [...done.splice(0), ...failed.splice(0).map((one) => one.job)];
        this.#runAgain(rolledBack);
        this.#usesSavepoints = true;
        break;
      }
    }
    // An open transaction that has written nothing would block the writes of other processes.
    if (done.length === 0) this.#rollBack();
    else if (this.#fatalError === undefined) this.#commit(done, failed);
    else this.#failAll(done, failed, this.#fatalError);
  }

  /**
   * Takes the next job, if any.
   * @param sharesCommit whether it would share the transaction of others
   */
  #takeNext(sharesCommit: boolean): Job | undefined {
    const [first] = this.#waiting;
    if (!first) return undefined;
    const isDue = first.yieldsUntil > 0 && performance.now() > first.yieldsUntil;
    const smallIndex = isDue ? -1 : this.#waiting.findIndex(({ yieldsUntil }) => yieldsUntil === 0);
    if (smallIndex < 0) return sharesCommit ? undefined : this.#waiting.shift();
    return this.#waiting.splice(smallIndex, 1)[0];
  }

  /** Begins a transaction if none is open; if that fails, the job fails. */
  async #beginTransaction(job: Job): Promise<boolean> {
    const until = performance.now() + MAX_WAIT;
    while (!this.#connection.inTransaction) {
      try {
        this.#connection.run('BEGIN IMMEDIATE');
      } catch (error) {
        if (!isBusy(error)) {
          job.fail(error);
          return false;
        }
        if (performance.now() > until) {
          job.fail(unavailable(texts.databaseBusy, error));
          return false;
        }
        // Waits for the other process asynchronously, so that this process keeps running.
        await setTimeout(5 + Math.random() * 20);
      }
    }
    return true;
  }

  /** Runs a job. @returns its error, with its changes undone; undefined if it succeeded */
  async #run(job: Job, savepoint: boolean): Promise<{ readonly error: unknown } | undefined> {
    job.attempts += 1;
    const before = this.#connection.writes;
    try {
      if (savepoint) this.#connection.run('SAVEPOINT job');
      await job.run(this.#connection);
      if (!this.#connection.inTransaction)
        throw new Error('The transaction was ended by the write.');
      if (savepoint) this.#connection.run('RELEASE job');
      return undefined;
    } catch (error) {
      if (storageErrorOf(error) === 'damaged') {
        this.refuseWrites(error);
        // The earlier jobs of the batch are not written to a damaged database either: they fail like the later ones.
        this.#rollBack();
      } else if (savepoint || this.#connection.writes > before) this.#undo(savepoint);
      return { error };
    }
  }

  #undo(toSavepoint: boolean): void {
    if (!this.#connection.inTransaction) return;
    try {
      this.#connection.run(toSavepoint ? 'ROLLBACK TO job' : 'ROLLBACK');
      if (toSavepoint) this.#connection.run('RELEASE job');
    } catch {
      // Nothing of this transaction can be trusted any more.
      this.#rollBack();
    }
  }

  #rollBack(): void {
    try {
      this.#connection.rollBack();
    } catch (error) {
      // The rest of this transaction must not become part of the next one.
      this.#fatalError = error;
    }
  }

  #runAgain(jobs: Job[]): void {
    const retried = jobs.filter(({ attempts }) => attempts < MAX_ATTEMPTS);
    for (const job of jobs) {
      if (!retried.includes(job)) job.fail(unavailable(texts.databaseBusy, undefined));
    }
    this.#waiting.unshift(...retried);
  }

  #commit(done: readonly Job[], failed: readonly FailedJob[]): void {
    try {
      this.#connection.run('COMMIT');
    } catch (error) {
      this.#rollBack();
      this.#failAll(done, failed, error);
      return;
    }
    for (const job of done) job.succeed();
    for (const { job, error } of failed) job.fail(error);
  }

  #failAll(done: readonly Job[], failed: readonly FailedJob[], error: unknown): void {
    for (const job of done) job.fail(error);
    for (const { job } of failed) job.fail(error);
  }
}
