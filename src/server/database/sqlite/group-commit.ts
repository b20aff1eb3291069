import * as texts from '#messages/service/http.ts';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { ApiError } from '#shared/contract/errors.ts';
import type { Transaction, Weight } from '../database.ts';
import { SQLITE_SETTINGS } from './sqlite-adapter.ts';
import { isBusy, type SqliteConnection } from './sqlite-connection.ts';
import { runInTransaction } from './sqlite-transaction.ts';
import { storageErrorOf } from '../storage-errors.ts';
import { QueueStats } from '../queue-stats.ts';

/** A batch takes up no further job after this many jobs or milliseconds, so that the first is not kept waiting. */
const MAX_BATCH_SIZE = 256;
const MAX_BATCH_TIME = 50;

/** How long a large write lets others that come go before it, in milliseconds. */
const MAX_YIELD_TIME = 1_000;

/** How long a write waits for another process that is writing to the same database, in milliseconds. */
const MAX_WAIT = 30_000;

/** How often a job is run whose transaction was lost through no fault of its own. */
const MAX_ATTEMPTS = 3;

interface Job {
  attempts: number;
  /** milliseconds until which a large write lets others go before it; 0: it is none */
  readonly yieldsUntil: number;
  /** Called when the job has its turn. */
  begin(): void;
  run(connection: SqliteConnection): Promise<void>;
  /** Answers the caller with the result of `run`. */
  succeed(): void;
  fail(error: unknown): void;
}

/** A job whose error waits for the commit of those before it. */
interface FailedJob {
  readonly job: Job;
  readonly error: unknown;
}

/**
 * The queue of writes on the one writing connection. Jobs that wait at the same time share one commit, as
 * waiting for the disk is most of the cost of a small write. Each is answered after the commit.
 *
 * A job that fails behind others of its batch may have read what they wrote: a version, a unique value, a lock. So its
 * error waits for the commit as well, and where the commit fails the job fails for that reason, not with a refusal that
 * rests on what was never saved.
 *
 * A large write lets those go before it that wait when it might begin, and shares its commit with none, as all of them
 * would wait for it.
 *
 * Most jobs that fail have found so before they have written anything, and leave nothing to undo. Where one
 * has written, the whole transaction is undone and the others are run again, now with a savepoint before
 * each, so that a further one that fails is undone alone. Savepoints for all would make the full-text index
 * write a segment for each job instead of one for the batch.
 */
export class WriteQueue {
  /** the jobs that have not had their turn */
  readonly waiting = new QueueStats();
  readonly #connection: SqliteConnection;
  readonly #notify: (payload: string) => void;
  #waiting: Job[] = [];
  /** whether the next batch has a savepoint before each job */
  #usesSavepoints = false;
  #draining: Promise<void> | undefined;
  #closed = false;
  /** the error after which nothing more can be written */
  #broken: unknown;
  /** the error that has shown the database to be damaged: more writing could spread it */
  #damage: unknown;

  /** @param notify called after the commit with each notification of a write */
  constructor(connection: SqliteConnection, notify: (payload: string) => void = () => undefined) {
    this.#connection = connection;
    this.#notify = notify;
  }

  /** Resolves with what `work` returned, after the durable commit. */
  write<T>(work: (db: Transaction) => Promise<T>, weight: Weight = 'usual'): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('The database is closed.'));
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let succeed: (() => void) | undefined;
    const begin = this.waiting.begin();
    this.#waiting.push({
      attempts: 0,
      yieldsUntil: weight === 'large' ? performance.now() + MAX_YIELD_TIME : 0,
      begin,
      run: async (connection) => {
        const payloads: string[] = [];
        const notify = async (_: Transaction, payload: string) => void payloads.push(payload);
        const source = { current: connection, take: () => Promise.resolve(connection) };
        const result = await runInTransaction(source, { ...SQLITE_SETTINGS, notify }, work);
        succeed = () => {
          resolve(result);
          for (const payload of payloads) this.#notify(payload);
        };
      },
      succeed: () => succeed?.(),
      fail: (error) => {
        begin();
        reject(error);
      },
    });
    this.#draining ??= this.#drain();
    return promise;
  }

  /** Refuses further jobs with this error, after which reading goes on; what is under way is finished. */
  refuse(damage: unknown): void {
    this.#damage ??= damage;
  }

  /** Refuses further jobs and resolves when all others are answered. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Callers answered by the last commit, and requests that have arrived meanwhile, join this batch.
      await setImmediate();
      await this.#runBatch();
    }
    this.#draining = undefined;
  }

  async #runBatch(): Promise<void> {
    const done: Job[] = [];
    const failed: FailedJob[] = [];
    const until = performance.now() + MAX_BATCH_TIME;
    const usesSavepoints = this.#usesSavepoints;
    this.#usesSavepoints = false;
    for (let taken = 0; taken < MAX_BATCH_SIZE; taken += 1) {
      if (taken > 0 && performance.now() > until) break;
      const job = this.#next(done.length > 0);
      if (!job) break;
      const refused = this.#broken ?? this.#damage;
      if (refused !== undefined) {
        job.fail(refused);
        continue;
      }
      if (!(await this.#began(job))) continue;
      job.begin();
      const failure = await this.#run(job, usesSavepoints && done.length > 0);
      if (!failure) {
        done.push(job);
        if (job.yieldsUntil > 0) break;
        continue;
      }
      const { error } = failure;
      // Nothing uncommitted was there to be read, or the storage itself is at fault.
      const isFinal = done.length === 0 || storageErrorOf(error) !== null;
      if (isFinal) job.fail(error);
      else failed.push({ job, error });
      if (!this.#connection.inTransaction && done.length > 0) {
        // The whole transaction is lost, and with it what the earlier jobs wrote and the failed ones read.
        const lost = [...done.splice(0), ...failed.splice(0).map((one) => one.job)];
        this.#runAgain(lost);
        this.#usesSavepoints = true;
        break;
      }
    }
    // Left open, a transaction that has written nothing would keep other processes from writing.
    if (done.length === 0) this.#rollBack();
    else if (this.#broken === undefined) this.#commit(done, failed);
    else this.#failAll(done, failed, this.#broken);
  }

  /**
   * Takes the job whose turn it is, if any.
   * @param shared whether it would share the transaction of others
   */
  #next(shared: boolean): Job | undefined {
    const [first] = this.#waiting;
    if (!first) return undefined;
    const isDue = first.yieldsUntil > 0 && performance.now() > first.yieldsUntil;
    const usual = isDue ? -1 : this.#waiting.findIndex(({ yieldsUntil }) => yieldsUntil === 0);
    if (usual < 0) return shared ? undefined : this.#waiting.shift();
    return this.#waiting.splice(usual, 1)[0];
  }

  /** Begins the transaction where none is under way; where that cannot be, the job fails. */
  async #began(job: Job): Promise<boolean> {
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
          job.fail(occupied(error));
          return false;
        }
        // The other process is waited for here, so that this one goes on meanwhile.
        await setTimeout(5 + Math.random() * 20);
      }
    }
    return true;
  }

  /** Runs a job. @returns why it failed, having left nothing behind; undefined where it succeeded */
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
        this.refuse(error);
        // Nor are the earlier jobs of the batch written on what is damaged: they fail as the later ones do.
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
      if (this.#connection.inTransaction) this.#connection.run('ROLLBACK');
    } catch (error) {
      // What is left in the transaction must not become part of the next.
      this.#broken = error;
    }
  }

  #runAgain(jobs: Job[]): void {
    const again = jobs.filter(({ attempts }) => attempts < MAX_ATTEMPTS);
    for (const job of jobs) {
      if (!again.includes(job)) job.fail(occupied(undefined));
    }
    this.#waiting.unshift(...again);
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

function occupied(cause: unknown): ApiError {
  const error = new ApiError('unavailable', texts.databaseBusy);
  error.cause = cause;
  return error;
}
