import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '#server/database/database.ts';
import * as store from './check-states.store.ts';

/** For how long the counting belongs to a process after its last write: then the process is taken for dead. */
const LEASE = 10_000;

/** What the parts of the counting share. */
export interface CountingContext {
  readonly database: Database;
  readonly lease: CountingLease;
  /** aborted when the service ends */
  readonly signal: AbortSignal;
}

/** The right to count findings, which one process has at a time. */
export class CountingLease {
  readonly #database: Database;
  readonly #owner = randomUUID();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Takes it where nobody has it. To be called before that is read which a write rests on. @returns whether it is this process's */
  async take(): Promise<boolean> {
    const worker = await this.#database.read(store.readWorker);
    if (worker?.leaseOwner === this.#owner && worker.leaseUntil > Date.now() + LEASE / 2)
      return true;
    return this.#database.write(
      (db) => store.claimWorker(db, this.#owner, Date.now(), Date.now() + LEASE),
      'row locks',
    );
  }

  /** Prolongs it in a write. @returns undefined where it was lost, and with it the ground of what was read since */
  keep(db: Transaction): Promise<store.Worker | undefined> {
    return store.keepWorker(db, this.#owner, Date.now() + LEASE);
  }

  /** Keeps it while something is read, however long that takes. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const prolong = () =>
      this.#database.write((db) => this.keep(db), 'row locks').catch(() => undefined);
    const timer = setInterval(prolong, LEASE / 3).unref();
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }

  /** @param ofAll of whichever process, where there can be no other */
  async release(ofAll = false): Promise<void> {
    const owner = ofAll ? null : this.#owner;
    await this.#database.write((db) => store.releaseWorker(db, owner), 'row locks');
  }
}
