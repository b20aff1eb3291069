import type { Scalar } from '#shared/values/values.ts';
import { toFailure } from '#web/api/failure.ts';
import { newIdempotencyKey } from '#web/api/request.ts';
import type { Stored } from './edits.ts';
import { refusalsIn } from '../problems/refused-places.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';

/** The changed columns of one record, and the version that they are based on. */
export interface Put {
  readonly jrid: string;
  readonly values: Readonly<Record<string, Scalar>>;
  readonly etag: string | null;
}

interface Waiting extends Put {
  readonly key: string;
  readonly resolve: (stored: Stored) => void;
  readonly reject: (error: unknown) => void;
}

interface Sending {
  readonly one: (put: Put, idempotencyKey: string) => Promise<Stored>;
  /** all or none, answered in the same order */
  readonly many: (puts: readonly Put[], idempotencyKey: string) => Promise<readonly Stored[]>;
}

/** As many as one transaction can process without delaying others. */
const MAX_AT_ONCE = 500;
const CALLS_AT_ONCE = 3;

/**
 * Combines changes of records that are requested at the same moment into one call. After a rejected batch the changes
 * are sent again: the records that it names individually, so that each has its own answer, and the others together.
 */
export function batchedPuts({ one, many }: Sending) {
  let waiting: Waiting[] = [];
  let running = 0;
  let asked = false;

  const alone = (put: Waiting) =>
    retryWhileUnavailable(() => one(put, put.key)).then(put.resolve, put.reject);

  const together = async (batch: readonly Waiting[]): Promise<void> => {
    const key = newIdempotencyKey();
    try {
      const stored = await retryWhileUnavailable(() => many(batch, key));
      for (const [i, put] of batch.entries()) {
        const answer = stored[i];
        if (answer) put.resolve(answer);
        else put.reject(new Error('The answer holds too few records.'));
      }
    } catch (error) {
      const refused = refusalsIn(toFailure(error));
      const rest = batch.filter((_, i) => !refused.has(i));
      // If none is named, all of them are sent individually.
      if (refused.size > 0) waiting = [...rest, ...waiting];
      const singly = refused.size > 0 ? batch.filter((_, i) => refused.has(i)) : batch;
      await Promise.all(singly.map(alone));
    }
  };

  const start = () => {
    asked = false;
    while (running < CALLS_AT_ONCE && waiting.length > 0) {
      const batch = waiting.slice(0, MAX_AT_ONCE);
      waiting = waiting.slice(MAX_AT_ONCE);
      running++;
      const [only, another] = batch;
      const sent = only && !another ? alone(only) : together(batch);
      void sent.finally(() => {
        running--;
        start();
      });
    }
  };

  return (put: Put, key: string): Promise<Stored> =>
    new Promise((resolve, reject) => {
      waiting.push({ ...put, key, resolve, reject });
      if (asked) return;
      asked = true;
      queueMicrotask(start);
    });
}
