import type { Scalar } from '#shared/values/value-type.ts';
import { toFailure } from '#web/api/failure.ts';
import { newIdempotencyKey } from '#web/api/request.ts';
import type { ServerRecord } from './edits.ts';
import { rejectionsIn } from './rejections.ts';
import { retryWhileUnavailable } from '#web/api/retry-while-unavailable.ts';

/** The changed columns of one record, and the version that they are based on. */
interface Put {
  readonly jrid: string;
  readonly values: Readonly<Record<string, Scalar>>;
  readonly etag: string | null;
}

interface QueuedPut extends Put {
  readonly resolve: (stored: ServerRecord) => void;
  readonly reject: (error: unknown) => void;
}

interface PutCalls {
  readonly one: (put: Put, idempotencyKey: string) => Promise<ServerRecord>;
  /** all or none, answered in the same order */
  readonly many: (puts: readonly Put[], idempotencyKey: string) => Promise<readonly ServerRecord[]>;
}

/** As many as one transaction can process without delaying others. */
const MAX_BATCH_SIZE = 500;
const MAX_CONCURRENT_CALLS = 3;

/**
 * Combines changes of records that are requested at the same moment into one call. After a rejected batch the changes
 * are sent again: the records that it names individually, so that each has its own answer, and the others together.
 */
export function batchedPuts({ one, many }: PutCalls) {
  let queue: QueuedPut[] = [];
  let running = 0;
  let isScheduled = false;

  const sendOne = (put: QueuedPut) => {
    const key = newIdempotencyKey();
    return retryWhileUnavailable(() => one(put, key)).then(put.resolve, put.reject);
  };

  const sendBatch = async (batch: readonly QueuedPut[]): Promise<void> => {
    const key = newIdempotencyKey();
    try {
      const stored = await retryWhileUnavailable(() => many(batch, key));
      for (const [i, put] of batch.entries()) {
        const answer = stored[i];
        if (answer) put.resolve(answer);
        else put.reject(new Error('The answer holds too few records.'));
      }
    } catch (error) {
      const refused = rejectionsIn(toFailure(error));
      const rest = batch.filter((_, i) => !refused.has(i));
      // If none is named, all of them are sent individually.
      if (refused.size > 0) queue = [...rest, ...queue];
      const singly = refused.size > 0 ? batch.filter((_, i) => refused.has(i)) : batch;
      await Promise.all(singly.map(sendOne));
    }
  };

  const start = () => {
    isScheduled = false;
    while (running < MAX_CONCURRENT_CALLS && queue.length > 0) {
      const batch = queue.slice(0, MAX_BATCH_SIZE);
      queue = queue.slice(MAX_BATCH_SIZE);
      running++;
      const [only, another] = batch;
      const sent = only && !another ? sendOne(only) : sendBatch(batch);
      void sent.finally(() => {
        running--;
        start();
      });
    }
  };

  return (put: Put): Promise<ServerRecord> =>
    new Promise((resolve, reject) => {
      queue.push({ ...put, resolve, reject });
      if (isScheduled) return;
      isScheduled = true;
      queueMicrotask(start);
    });
}
