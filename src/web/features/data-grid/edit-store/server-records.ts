import type { Store } from '#web/api/create-store.ts';
import { hasStatus, summary, toFailure } from '#web/api/failure.ts';
import { newIdempotencyKey } from '#web/api/request.ts';
import type { DatasetCalls, Put } from './datasets.calls.ts';
import { type Batch, cellsOf, type Edits, type ServerRecord, withNewRow } from './edits.ts';
import { retryWhileUnavailable } from '#web/api/retry-while-unavailable.ts';
import { rejectionsIn } from './rejections.ts';
import {
  hasUnknownColumn,
  nextBatch,
  settleRejected,
  settleSaved,
  settleUnreadable,
} from './settle-edits.ts';
import { updateRows } from './update-rows.ts';

interface ReceivedRecord extends ServerRecord {
  /** when the answer arrived, by `performance.now()` */
  readonly at: number;
}

interface ServerRecordsOptions {
  readonly calls: Pick<DatasetCalls, 'get' | 'put' | 'several'>;
  readonly edits: Store<Edits>;
  /** receives the service's answers, for the lists that show the record */
  readonly onStored: (stored: ServerRecord) => void;
  /** a call has succeeded */
  readonly onSaved: () => void;
}

/** As many records as one transaction can process without delaying others. */
const MAX_BATCH_SIZE = 500;
const MAX_CONCURRENT_CALLS = 3;

/** What is sent while a record is read. */
const NOTHING: Batch = { values: {}, sent: new Map() };

/** The versions of records on which edits are based, and saving these edits. */
export function createServerRecords({ calls, edits, onStored, onSaved }: ServerRecordsOptions) {
  const known = new Map<string, ReceivedRecord>();
  /** what is being sent, by jrid */
  const sending = new Map<string, Batch>();
  /** what will be sent: changes of records that are saved at the same moment are sent by one call */
  const queue: Put[] = [];
  let running = 0;
  let isScheduled = false;
  const change = (next: (edits: Edits) => Edits) => edits.set(next(edits.get()));

  const receive = (stored: ServerRecord): void => {
    const { jrid } = stored.dataset;
    known.set(jrid, { ...stored, at: performance.now() });
    change((now) => {
      const row = now.newRows.find((row) => row.stored?.dataset.jrid === jrid);
      return row ? withNewRow(now, { ...row, stored }) : now;
    });
    onStored(stored);
  };
  /** When the last answer about a record arrived; 0: none has. */
  const receivedAt = (jrid: string) => known.get(jrid)?.at ?? 0;

  /** Reloads the record if others changed it; null: the next batch is based on the new version. */
  const failureAfterRejection = async ({ jrid, etag }: Put, error: unknown) => {
    const failure = toFailure(error);
    if (!hasStatus(error, 412)) return failure;
    try {
      const current = await retryWhileUnavailable(() => calls.get(jrid));
      receive(current);
      return current.etag === etag ? failure : null;
    } catch (reading) {
      return toFailure(reading);
    }
  };

  /**
   * Sends changes by one call. If it is rejected, they are sent again: the records that the answer names individually, so
   * that each has its own answer, and the others together.
   */
  const send = async (puts: readonly Put[]): Promise<void> => {
    const key = newIdempotencyKey();
    try {
      const answers = await retryWhileUnavailable(() => calls.put(puts, key));
      if (answers.length < puts.length) throw new Error('The answer holds too few records.');
      for (const stored of answers) {
        receive(stored);
        onSaved();
      }
      const byJrid = new Map(puts.map((put) => [put.jrid, put]));
      change((now) =>
        updateRows(now, byJrid.keys(), (alone, jrid) => {
          const [put, stored] = [byJrid.get(jrid), known.get(jrid)];
          return put && stored ? settleSaved(alone, jrid, put, stored.dataset) : alone;
        }),
      );
    } catch (error) {
      const [only, another] = puts;
      if (!only || another) {
        await resend(puts, error);
        return;
      }
      const failure = await failureAfterRejection(only, error);
      if (failure) change((now) => settleRejected(now, only.jrid, only, failure));
    }
    for (const { jrid } of puts) {
      sending.delete(jrid);
      // Text typed during a call is sent by the next one, which is made from the answer.
      save(jrid);
    }
  };

  const resend = async (puts: readonly Put[], error: unknown): Promise<void> => {
    const named = rejectionsIn(toFailure(error));
    // If none is named, all of them are sent individually.
    const isAlone = (_: Put, i: number) => named.size === 0 || named.has(i);
    const others = puts.filter((put, i) => !isAlone(put, i));
    const parts = puts.filter(isAlone).map((put) => [put]);
    if (others.length > 0) parts.push(others);
    await Promise.all(parts.map((part) => send(part)));
  };

  const sendQueue = (): void => {
    isScheduled = false;
    while (running < MAX_CONCURRENT_CALLS && queue.length > 0) {
      running++;
      void send(queue.splice(0, MAX_BATCH_SIZE)).finally(() => {
        running--;
        sendQueue();
      });
    }
  };

  const enqueue = (jrid: string): void => {
    const server = known.get(jrid);
    if (!server) return;
    const { edits: checked, batch } = nextBatch(edits.get(), jrid, server.dataset);
    edits.set(checked);
    if (!batch) return;
    sending.set(jrid, batch);
    queue.push({ jrid, etag: server.etag, ...batch });
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(sendQueue);
  };

  /** Reads a record again before its edits are sent. If that fails, they are marked with the reason. */
  const readAndEnqueue = async (jrid: string): Promise<void> => {
    sending.set(jrid, NOTHING);
    try {
      receive(await retryWhileUnavailable(() => calls.get(jrid)));
    } catch (error) {
      const message = hasStatus(error, 404) ? undefined : summary(toFailure(error));
      change((now) => settleUnreadable(now, jrid, message));
    }
    sending.delete(jrid);
    enqueue(jrid);
  };

  /** Sends the pending edits of a record, unless a call is in progress: they are then sent after it. */
  const save = (jrid: string): void => {
    const server = known.get(jrid);
    if (!server || sending.has(jrid)) return;
    if (hasUnknownColumn(edits.get(), jrid, server.dataset)) void readAndEnqueue(jrid);
    else enqueue(jrid);
  };

  return {
    receive,
    receivedAt,
    save,
    get: (jrid: string): ServerRecord | undefined => known.get(jrid),
    /** Bases the next edits of a record on its listed version, unless a call is in progress. */
    adoptListed(jrid: string, listed: ServerRecord): void {
      if (!sending.has(jrid)) known.set(jrid, { ...listed, at: receivedAt(jrid) });
    },
    /** Whether an edit of the cell is being sent right now. */
    isSending: (jrid: string, column: string): boolean =>
      sending.get(jrid)?.sent.has(column) === true,
    /** Reloads records with edits of a closed tab, and sends the edits. */
    async resume(jrids: readonly string[]): Promise<void> {
      const now = await retryWhileUnavailable(() => calls.several(jrids));
      for (const jrid of jrids) {
        const stored = now.get(jrid);
        if (stored) {
          receive(stored);
          save(jrid);
        } else change((edits) => settleUnreadable(edits, jrid));
      }
    },
    /**
     * Applies the values of records that others have changed. Typed text stays: it is compared with the new values when
     * it is sent.
     * @param requestedAt when they were requested, by `performance.now()`
     * @returns those with an edit in progress, whose answer must be awaited first
     */
    applyRemote: (
      jrids: readonly string[],
      found: ReadonlyMap<string, ServerRecord>,
      requestedAt: number,
    ): readonly string[] => {
      const later = jrids.filter((jrid) => sending.has(jrid));
      for (const jrid of jrids) {
        if (sending.has(jrid) || receivedAt(jrid) > requestedAt) continue;
        const stored = found.get(jrid);
        const edited = cellsOf(edits.get(), jrid).size > 0;
        if (stored) receive(stored);
        else if (edited) change((now) => settleUnreadable(now, jrid));
        if (stored && edited) save(jrid);
      }
      return later;
    },
    /** An answer about a record after `since`: newer than a list that was requested then. */
    newerThan: (jrid: string, since: number): ServerRecord | undefined => {
      const found = known.get(jrid);
      return found && found.at > since ? found : undefined;
    },
  };
}

export type ServerRecords = ReturnType<typeof createServerRecords>;
