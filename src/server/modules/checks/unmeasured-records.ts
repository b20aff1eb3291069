import type { Transaction } from '#server/database/database.ts';
import type { Check } from '#server/database/records/check.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { ALL_RECORDS } from '#server/database/records/list-reader.ts';
import { countRecordsInWorker } from '../records/records.reads.ts';
import type { RecordsToFollow } from './follow-records.ts';
import { isMeasured } from './measures.ts';

/**
 * The share of records that may be written until medians and shares are computed again, before the next quarter of an
 * hour.
 */
const MAX_UNMEASURED_SHARE = 0.1;

/** How many records were written since the medians or shares of a check were computed. */
interface Unmeasured {
  readonly collection: Collection;
  readonly check: Check;
  readonly written: number;
  /** whether so much was written that they are to be computed again */
  readonly isDue: boolean;
}

/** How many records were written since the medians and shares of checks were computed. Only this process knows it. */
export class UnmeasuredRecords {
  /** by `keyOf` */
  readonly #written = new Map<string, number>();

  /** Counts what was written for the checks with medians or shares, with these records; `store` keeps the result. */
  async count(
    db: Transaction,
    followed: readonly RecordsToFollow[],
  ): Promise<readonly Unmeasured[]> {
    const unmeasured: Unmeasured[] = [];
    for (const { collection, ids } of followed) {
      const checks = collection.checks.filter(isMeasured);
      if (checks.length === 0) continue;
      const total = await countRecordsInWorker(db, collection, ALL_RECORDS);
      for (const check of checks) {
        const written = (this.#written.get(keyOf(collection, check)) ?? 0) + ids.length;
        const isDue = written > total * MAX_UNMEASURED_SHARE;
        unmeasured.push({ collection, check, written, isDue });
      }
    }
    return unmeasured;
  }

  store(unmeasured: readonly Unmeasured[]): void {
    for (const { collection, check, written, isDue } of unmeasured) {
      this.#written.set(keyOf(collection, check), isDue ? 0 : written);
    }
  }

  /** The medians or shares of a check are computed again. */
  reset(collection: Collection, check: Check): void {
    this.#written.delete(keyOf(collection, check));
  }
}

function keyOf({ kind, id }: Collection, { name }: Pick<Check, 'name'>): string {
  return `${kind} ${id} ${name}`;
}
