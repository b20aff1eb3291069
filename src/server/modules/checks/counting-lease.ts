import { LEASE_DURATION, releaseLeases, withLeaseRenewal } from '#server/database/leases.ts';
import { randomUUID } from 'node:crypto';
import { READ_COMMITTED, type Database, type Transaction } from '#server/database/database.ts';
import * as store from './check-states.store.ts';

/** What all steps of counting need. */
export interface CountingContext {
  readonly database: Database;
  readonly lease: CountingLease;
  /** aborted when the service ends */
  readonly signal: AbortSignal;
}

/** The lease that lets one process at a time count findings. */
export class CountingLease {
  readonly #database: Database;
  readonly #owner = randomUUID();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Takes the lease if no other process has it. Call it before the reads on which a write is based.
   * @returns whether this process has the lease
   */
  async take(): Promise<boolean> {
    const worker = await this.#database.read(store.readCountingState);
    if (worker?.leaseOwner === this.#owner && worker.leaseUntil > Date.now() + LEASE_DURATION / 2)
      return true;
    return this.#database.write((db) => store.claimWorkerLease(db, this.#owner), READ_COMMITTED);
  }

  /**
   * Extends the lease in a transaction.
   * @returns undefined if another process has had the lease meanwhile: what was read before may be out of date
   */
  renew(db: Transaction) {
    return store.renewCountingLease(db, this.#owner);
  }

  /** Extends the lease repeatedly while `work` reads, however long that takes. */
  withRenewal<T>(work: () => Promise<T>): Promise<T> {
    return withLeaseRenewal(this.#database, (db) => this.renew(db), work);
  }

  /** @param ofAll also ends the lease of another process; only if no other process can be running */
  async release(ofAll = false): Promise<void> {
    const owner = ofAll ? null : this.#owner;
    await this.#database.write((db) => releaseLeases(db, 'check_worker', owner), READ_COMMITTED);
  }
}
